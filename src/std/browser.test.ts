import { afterEach, expect, test, vi } from 'vitest';
import { browserGlobals } from './browser.ts';

afterEach(() => void vi.unstubAllGlobals());

const locks = {};
class Channel {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

function stub(globals: Readonly<Record<string, unknown>>): void {
  const all = { document: undefined, WorkerGlobalScope: undefined, navigator: { locks }, BroadcastChannel: Channel };
  for (const [name, value] of Object.entries({ ...all, ...globals })) vi.stubGlobal(name, value);
}

test.each([
  ['a page', { document: {} }],
  ['a worker', { WorkerGlobalScope: class {} }],
])('%s has the locks and the channels of its browser', (_, globals) => {
  stub(globals);
  const browser = browserGlobals<object, Channel>();
  expect(browser?.locks).toBe(locks);
  expect(browser?.openPort('app').name).toBe('app');
});

test.each([
  ['a server, also one with locks and channels, as Node 24', {}],
  ['a page without a navigator', { document: {}, navigator: undefined }],
  ['a page without Web Locks', { document: {}, navigator: {} }],
  ['a page without BroadcastChannel', { document: {}, BroadcastChannel: undefined }],
])('%s has none', (_, globals) => {
  stub(globals);
  expect(browserGlobals()).toBeUndefined();
});
