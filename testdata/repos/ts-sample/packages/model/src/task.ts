import { nextId, type Id } from './ids';
import type Clock from './clock';

export enum Status { Open, Active = 2, Done }

export interface Entity<K extends string> { readonly id: Id<K>; created: number }

export interface Task extends Entity<'task'> {
  title: string;
  status: Status;
  labels?: Label[];
  assignee: { name: string; mail?: string } | null;
}

export type Label = { kind: 'text'; text: string } | { kind: 'color'; color: string; text: string };

export type TaskPatch = Partial<Pick<Task, 'title' | 'status'>> & { reason?: string };

export const defaults = {
  title: 'untitled',
  status: Status.Open,
  limits: { title: 80, labels: 5 },
  describe(task: Task) { return `${task.title} (${Status[task.status]})`; },
};

export function createTask(title: string, clock: Clock): Task;
export function createTask(init: Pick<Task, 'title'>, clock: Clock): Task;
export function createTask(init: string | Pick<Task, 'title'>, clock: Clock): Task {
  const title = typeof init === 'string' ? init : init.title;
  return { id: nextId('task'), created: clock.now(), title: title.slice(0, defaults.limits.title), status: defaults.status, assignee: null };
}

export function labelText(label: Label): string {
  switch (label.kind) {
    case 'text': return label.text;
    case 'color': return `${label.color}:${label.text}`;
  }
}

export namespace Task {
  export const empty = 0;
  export function isDone({ status }: Task): boolean { return status === Status.Done; }
}
