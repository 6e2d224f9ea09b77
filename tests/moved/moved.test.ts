import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import { build } from 'esbuild';
import { Window } from 'happy-dom';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type Routes, type Session, sessions } from './servers.ts';

const here = dirname(fileURLToPath(import.meta.url));
const repository = join(here, '../..');
const inRoot = (path: string): string => join(repository, path);

/** The modules to which the import specifiers of the applications lead. Both run with the React of the other library. */
const libraries = {
  peer: {
    '@data-client/react': inRoot('bench/node_modules/@data-client/react'),
    '@data-client/rest': inRoot('node_modules/@data-client/rest'),
  },
  ours: { '@data-client/react': inRoot('src/react.ts'), '@data-client/rest': inRoot('src/index.ts') },
};
type Library = keyof typeof libraries;

/** An application as a script. */
async function bundle(name: string, library: Library): Promise<string> {
  const entry = `
    export { App } from ${JSON.stringify(join(here, 'apps', `${name}.tsx`))};
    export { createElement } from 'react';
    export { createRoot } from 'react-dom/client';`;
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: here, loader: 'ts' },
    bundle: true,
    format: 'iife',
    globalName: 'application',
    write: false,
    platform: 'browser',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: {
      ...libraries[library],
      react: inRoot('bench/node_modules/react'),
      'react-dom': inRoot('bench/node_modules/react-dom'),
    },
    logLevel: 'error',
  });
  return `(() => { ${outputFiles[0]?.text}; return application; })()`;
}

interface Application {
  readonly App: () => unknown;
  readonly createElement: (component: unknown) => unknown;
  readonly createRoot: (container: unknown) => { render(element: unknown): void; unmount(): void };
}

/** The content of the screen after each step of a session, with its requests and renders. */
interface Recorded {
  readonly screens: readonly string[];
  readonly requests: readonly string[];
  readonly renders: Readonly<Record<string, number>>;
}

/** Runs promises and React, and no timers. */
async function runPending(): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop
  for (let at = 0; at < 5; at++) await new Promise((resolve) => void setImmediate(resolve));
}

/** Advances the time, and runs timers, promises and React. */
async function wait(seconds: number): Promise<void> {
  for (let at = 0; at < seconds * 4; at++) {
    // oxlint-disable-next-line no-await-in-loop
    await vi.advanceTimersByTimeAsync(250);
    // oxlint-disable-next-line no-await-in-loop
    await runPending();
  }
}

function serve(routes: Routes, latency: number, requests: string[]): typeof fetch {
  return async (input, init) => {
    const { pathname, searchParams } = new URL(String(input));
    searchParams.sort();
    const query = String(searchParams);
    const name = `${init?.method ?? 'GET'} ${pathname}${query && `?${query}`}`;
    requests.push(name);
    await new Promise((resolve) => void setTimeout(resolve, latency));
    const route = routes[name];
    if (route === undefined) throw new TypeError(`There is no route ${name}.`);
    const [body, status = 200] = route(
      JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as Record<string, unknown>,
    );
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  };
}

/** Runs a session of an application. */
async function run(script: string, { server, latency, steps }: Session): Promise<Recorded> {
  const requests: string[] = [];
  const renders: Record<string, number> = {};
  vi.stubGlobal('onRender', (component: string) => (renders[component] = (renders[component] ?? 0) + 1));
  const page = new Window({ url: 'https://app.test/' });
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', page.document);
  // React reports every error that a boundary catches.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    now: 1_700_000_000_000,
  });
  vi.stubGlobal('fetch', serve(server(), latency, requests));
  const { App, createElement, createRoot } = runInThisContext(script) as Application;
  const container = page.document.createElement('div');
  page.document.body.append(container);
  const root = createRoot(container);
  const screens: string[] = [];
  const look = (step: string): void => void screens.push(`${step}: ${container.innerHTML}`);
  root.render(createElement(App));
  await wait(1);
  look('first');
  for (const step of steps) {
    const target = container.querySelector(`[name="${step}"]`);
    if (typeof step === 'number') await wait(step);
    else if (target) (target as unknown as { click(): void }).click();
    else throw new Error(`There is no ${step}: ${container.innerHTML}`);
    await runPending();
    look(`${step}, at once`);
    await wait(1);
    look(`${step}, then`);
  }
  root.unmount();
  await runPending();
  await page.happyDOM.close();
  return { screens, requests, renders };
}

describe.each(Object.entries(sessions))('the application %s, written for the peer', (name, session) => {
  const recorded: Partial<Record<Library, Recorded>> = {};
  const recordOf = (library: Library): Recorded => recorded[library] ?? { screens: [], requests: [], renders: {} };

  beforeAll(async () => {
    for (const library of ['peer', 'ours'] as const) {
      // oxlint-disable no-await-in-loop -- one page after the other
      recorded[library] = await run(await bundle(name, library), session);
      // oxlint-enable no-await-in-loop
      vi.useRealTimers();
      vi.unstubAllGlobals();
      vi.restoreAllMocks();
    }
  });

  test('shows the same screens after every step', () => {
    expect(recordOf('peer').screens.length).toBeGreaterThan(10);
    // Until the server assigns an id, the peer shows the default of the class, 0, which two records may have.
    const screens = recordOf('ours').screens.map((text) => text.replaceAll(/temp:\w{21}:\d+/g, '0'));
    expect(screens).toEqual(recordOf('peer').screens);
  });

  test('sends no request that the other library does not send', () => {
    expect(recordOf('peer').requests.length).toBeGreaterThan(4);
    const left = [...recordOf('peer').requests];
    const more = recordOf('ours').requests.filter((request) => {
      const at = left.indexOf(request);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
    expect(more).toEqual([]);
  });

  test('renders no component more often than with the other library', () => {
    const [peer, ours] = [recordOf('peer').renders, recordOf('ours').renders];
    expect(Object.keys(ours).toSorted()).toEqual(Object.keys(peer).toSorted());
    const more = Object.entries(ours).filter(([component, times]) => times > (peer[component] ?? 0));
    expect({ more, ours, peer }).toEqual({ more: [], ours, peer });
  });
});
