import type { Request } from './routes';

declare module './routes' {
  interface Request { audited?: boolean }
}

export function audit(request: Request): void {
  request.audited = !request.audited;
}
