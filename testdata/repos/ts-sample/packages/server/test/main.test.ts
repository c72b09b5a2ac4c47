import { handle, routes } from '../src/main';
import { Store } from '@sample/model';

export async function testHandle(): Promise<void> {
  const store: Store = new Store();
  store.add();
  const reply = await handle({ path: '/tasks', params: { status: '0' } });
  if (reply.code !== 200) throw new Error(String(routes.table().size));
}
