import TaskList from './components/task-list';
import type { Task } from '@sample/model';

export const App = () => {
  function onToggle(task: Task) { task.created; }
  return <TaskList onToggle={onToggle} />;
};
