import { RestEndpoint, type RestGenerics } from 'rejoin';

const KEY = 'unplugged';
const listeners = new Set<() => void>();
const notify = (): void => {
  for (const listener of listeners) listener();
};
globalThis.addEventListener('storage', notify);

/** A simulated network that can be switched off, in all tabs and over a reload. */
export const plug = {
  isIn: (): boolean => localStorage.getItem(KEY) === null,
  put(isIn: boolean): void {
    if (isIn) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, '');
    notify();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

/** Fails like `fetch` without a network while the network is switched off. */
// oxlint-disable-next-line typescript/no-explicit-any -- whatever the endpoint is of
export class PluggedEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override async fetchResponse(url: string, init: RequestInit): Promise<Response> {
    if (plug.isIn()) return super.fetchResponse(url, init);
    throw Object.assign(new TypeError('The network is unplugged.'), { status: 500 });
  }
}
