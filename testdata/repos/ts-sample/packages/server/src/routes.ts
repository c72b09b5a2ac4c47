import { Store, Clock, ids, makeTask, Status, type Task } from '@sample/model';
import where, { order, type Query } from '@sample/model/query';

export interface Request { path: string; params: Record<string, string>; body?: unknown }
export interface Reply { code: number; body?: unknown }
export type Route = (request: Request) => Reply | Promise<Reply>;

export function route(method: 'get' | 'post', path: string) {
  return function (target: Routes, key: string): void { target.table().set(`${method} ${path}`, key); };
}

export class Routes {
  static readonly version = 2;
  private map = new Map<string, string>();
  constructor(private readonly store: Store) {}
  table(): Map<string, string> { return this.map; }

  @route('get', '/tasks')
  list({ params: { status } }: Request): Reply {
    const query: Query<Task> = where<Task>(t => t.status === Number(status)).and(t => ids.isId(t.id));
    return { code: 200, body: query.run(this.store).sort(order('title')) };
  }

  @route('post', '/tasks')
  create(request: Request): Reply {
    const { title } = request.body as { title: string };
    const draft = makeTask({ title }, Clock.shared);
    const task = this.store.add(draft.title);
    this.store['change'](task.id, { status: Status.Active, reason: 'created' });
    return { code: 201, body: { id: task.id, version: Routes.version } };
  }
}
