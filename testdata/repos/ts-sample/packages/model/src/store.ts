import { Emitter } from './events';
import { Task, type TaskPatch, defaults, createTask } from './task';
import Clock, { type TimeSource } from './clock';
import type { Id } from './ids';

export interface StoreEvents { added: Task; changed: { task: Task; patch: TaskPatch }; removed: Task['id'] }

export interface Repository<T> { get(id: string): T | undefined; readonly size: number }

export class Store extends Emitter<StoreEvents> implements Repository<Task> {
  protected readonly name = 'store';
  private tasks = new Map<string, Task>();

  constructor(public readonly clock: Clock = Clock.shared) { super(); }

  get size(): number { return this.tasks.size; }

  get(id: Id<'task'> | string): Task | undefined { return this.tasks.get(id); }

  add(title = defaults.title): Task {
    const task = createTask(title, this.clock);
    this.tasks.set(task.id, task);
    this.emit('added', task);
    return task;
  }

  change(id: string, patch: TaskPatch): boolean {
    const task = this.get(id);
    if (!task || Task.isDone(task)) return false;
    const { title = task.title, status: next } = patch;
    task.title = title;
    if (next !== undefined) task.status = next;
    this.emit('changed', { task, patch });
    return true;
  }

  *[Symbol.iterator](): Iterator<Task> { yield* this.tasks.values(); }
}

export const elapsed = (since: Task, source: TimeSource): number => source.now() - since.created;
