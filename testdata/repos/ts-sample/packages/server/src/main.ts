import { Store } from '@sample/model';
import { Routes, type Reply, type Request } from './routes';
import config = require('./config.js');

const store = new Store();
export const routes = new Routes(store);

export async function handle(request: Request): Promise<Reply> {
  VERSIONS.server += 1;
  if (request.path === config.health) return { code: 204 };
  const { audit } = await import('./audit');
  audit(request);
  return routes.list(request) ?? routes.create(request);
}

store.on('added', ({ title, assignee }) => log`added ${title} for ${assignee?.name}`);

function log(parts: TemplateStringsArray, ...values: unknown[]): void {
  console.log(String.raw(parts, ...values));
}
