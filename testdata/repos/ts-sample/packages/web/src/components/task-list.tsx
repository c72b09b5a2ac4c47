import useStore from '../hooks/use-store';
import * as rows from './task-row';
import { TaskRow, type RowProps } from './task-row';
import { defaults } from '@sample/model';

export default function TaskList(props: Pick<RowProps, 'onToggle'>) {
  const store = useStore('changed', ({ task }) => props.onToggle(task));
  const list = [...store];
  return <ul>
    {list.map(task => <TaskRow task={task} onToggle={props.onToggle}>
      <rows.Badge text={defaults.describe(task)} />
    </TaskRow>)}
    {TaskRow.displayName}
  </ul>;
}
