import { Status, type Task } from '../task';

export type Predicate<T> = (item: T) => boolean;

export interface Query<T> {
  and(p: Predicate<T>): Query<T>;
  run(items: Iterable<T>): T[];
}

class PredicateQuery<T> implements Query<T> {
  constructor(private readonly parts: Predicate<T>[]) {}
  and(p: Predicate<T>): PredicateQuery<T> { return new PredicateQuery([...this.parts, p]); }
  run(items: Iterable<T>): T[] { return [...items].filter(i => this.parts.every(p => p(i))); }
}

export function where<T>(p: Predicate<T>): Query<T> { return new PredicateQuery([p]); }

export const open: Predicate<Task> = t => t.status === Status.Open;

export function order<K extends keyof Task>(key: K) {
  function compare(a: Task, b: Task): number { return a[key]! < b[key]! ? -1 : 1; }
  return compare;
}

export const byTitle = order('title');
