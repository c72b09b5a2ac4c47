import { Store, type StoreEvents } from '@sample/model';

const store = new Store();

export function useStore<K extends keyof StoreEvents>(event: K, then: (e: StoreEvents[K]) => void): Store {
  store.on(event, then);
  return store;
}

export { useStore as default };
