import { labelText, Status, type Task } from '@sample/model';
import type { ReactNode } from 'react';

export interface RowProps { task: Task; onToggle(task: Task): void; children?: ReactNode }

export function TaskRow({ task, onToggle, children }: RowProps) {
  const toggle = () => onToggle(task);
  return <li onClick={toggle} class={Status[task.status]}>{task.labels?.map(labelText)}{children}</li>;
}

TaskRow.displayName = 'TaskRow';

export const Badge = ({ text }: { text: string }) => <b>{text}</b>;
