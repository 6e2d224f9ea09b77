// The classes of React Native, without what they lack: signals have no reason and no `any`, forms and URLs have no iterator, and there is
// no `crypto`, `DOMException`, `EventTarget`, `FinalizationRegistry`, `structuredClone`, `TextDecoder` or `document`, and lists have no `toSorted`.

class NativeSignal {
  aborted = false;
  listeners: (() => void)[] = [];
  addEventListener(_type: string, listener: () => void): void {
    this.listeners.push(listener);
  }
  removeEventListener(_type: string, listener: () => void): void {
    this.listeners = this.listeners.filter((known) => known !== listener);
  }
}

class NativeController {
  signal = new NativeSignal();
  abort(): void {
    if (this.signal.aborted) return;
    this.signal.aborted = true;
    for (const listener of this.signal.listeners) listener();
  }
}

class NativeForm {
  _parts: [string, unknown][] = [];
  append(name: string, value: unknown): void {
    this._parts.push([name, value]);
  }
}

class NativeHeaders {
  known = new Map<string, string>();
  get(name: string): string | null {
    return this.known.get(name) ?? null;
  }
  set(name: string, value: string): void {
    this.known.set(name, value);
  }
}

class NativeUrl {
  readonly href: string;
  constructor(address: string, base: string) {
    this.href = address.includes('://') ? address : base + address;
  }
  get protocol(): string {
    return this.href.slice(0, this.href.indexOf(':') + 1);
  }
  get host(): string {
    return this.href.split('/')[2] ?? '';
  }
}

class NativeParams {
  pairs: string[] = [];
  append(name: string, value: string): void {
    this.pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  }
  sort(): void {
    this.pairs.sort();
  }
  toString(): string {
    return this.pairs.join('&');
  }
}

const todos = [
  { id: '1', title: 'Write', price: '1.50' },
  { id: '2', title: 'Test', price: '2.00' },
];

interface Sent {
  readonly method: string;
  readonly body?: unknown;
}

/** A server that never answers the request of the record `slow`. */
function serve(url: string, { method, body }: Sent): Promise<unknown> {
  if (url.endsWith('/slow')) return new Promise(() => {});
  const headers = new NativeHeaders();
  headers.set('content-type', 'application/json');
  const fields = typeof body === 'string' ? (JSON.parse(body) as object) : { title: 'Photo' };
  if (method === 'POST') todos.push({ title: '', price: '0.00', ...fields, id: String(todos.length + 1) });
  const text = JSON.stringify(method === 'POST' ? todos.at(-1) : todos);
  return Promise.resolve({ ok: true, status: 200, headers, url, text: () => Promise.resolve(text) });
}

Reflect.deleteProperty(globalThis, 'FinalizationRegistry');
Reflect.deleteProperty(Array.prototype, 'toSorted');
Object.assign(globalThis, {
  navigator: { product: 'ReactNative' },
  AbortController: NativeController,
  AbortSignal: NativeSignal,
  Blob: class {},
  FormData: NativeForm,
  Headers: NativeHeaders,
  URL: NativeUrl,
  URLSearchParams: NativeParams,
  fetch: serve,
});
