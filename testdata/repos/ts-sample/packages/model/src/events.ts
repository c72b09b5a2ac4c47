export type Handler<T> = (event: T) => void;

export abstract class Emitter<E extends object> {
  private handlers: { [K in keyof E]?: Handler<E[K]>[] } = {};
  protected abstract readonly name: string;

  on<K extends keyof E>(type: K, handler: Handler<E[K]>): () => void {
    const list = (this.handlers[type] ??= []);
    list.push(handler);
    return () => this.off(type, handler);
  }

  off<K extends keyof E>(type: K, handler: Handler<E[K]>): void {
    this.handlers[type] = this.handlers[type]?.filter(h => h !== handler);
  }

  protected emit<K extends keyof E>(type: K, event: E[K]): void {
    for (const h of this.handlers[type] ?? []) h(event);
  }
}
