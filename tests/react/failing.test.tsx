import * as React from 'react';
import { type ReactNode, Suspense } from 'react';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Controller, Endpoint, Entity, from, getDefaultManagers, Query } from 'rejoin';
import {
  AsyncBoundary,
  DataProvider,
  type ErrorFallbackProps,
  useCache,
  useDLE,
  useFetch,
  useLive,
  useQuery,
  useSuspense,
} from 'rejoin/react';
import { click, rest, show, until } from './harness.tsx';

const use = (React as { use?: <Value>(promise: Promise<Value>) => Value }).use;

/** Its value cannot be built from rows with the text `bad`. */
class Note extends Entity {
  id = '';
  text = '';
  static override key = 'Note';
}
Note.fromJS = function fromJS(this: typeof Note, props?: { readonly text?: string }) {
  if (props?.text === 'bad') throw new Error('cannot be read');
  return Entity.fromJS.call(this, props as object);
} as typeof Note.fromJS;

const text = new Query(Note, (note) => note?.text);
const badNotes = from(Note).where(({ text: said }) => {
  if (said === 'bad') throw new Error('cannot be read');
  return false;
});
const getNote = new Endpoint(async ({ id }: { id: string }) => ({ id, text: 'asked' }), {
  name: 'getNote',
  schema: Note,
});

type Show = () => ReactNode;
const ARGS = { id: '1' };
const SUSPENDING: Record<string, Show> = {
  useSuspense: () => useSuspense(getNote, ARGS).text,
  useLive: () => useLive(getNote, ARGS).text,
  ...(use && { 'use(useFetch())': () => use(useFetch(getNote, ARGS)).text }),
};

let reset = (): void => {};
function Failed({ error, resetErrorBoundary }: ErrorFallbackProps): ReactNode {
  reset = resetErrorBoundary;
  return `failed: ${error.message}`;
}

/** A page that shows a note, and the errors that reached the window. */
function page(Note_: Show) {
  const controller = new Controller({ managers: getDefaultManagers() });
  onTestFinished(() => controller.dispose());
  const write = (value: string): void => void controller.setResponse(getNote, ARGS, { id: '1', text: value });
  write('good');
  const uncaught: unknown[] = [];
  const collect = (error: unknown): void => void uncaught.push(error);
  process.on('uncaughtException', collect);
  onTestFinished(() => void process.off('uncaughtException', collect));
  const View = (): ReactNode => Note_();
  const shown = show(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="loading" errorComponent={Failed}>
        <View />
      </AsyncBoundary>
    </DataProvider>,
  );
  return { controller, write, uncaught, ...shown };
}

describe.each(Object.entries(SUSPENDING))('a value that begins to throw while %s shows it', (_, Note_) => {
  test('throws to the boundary, and is shown again when the boundary is reset', async () => {
    const { text: seen, uncaught, write } = page(Note_);
    await until(() => seen() === 'good');
    await rest();
    click(() => write('bad'));
    await until(() => seen().startsWith('failed: '));
    expect(seen()).toContain('cannot be read');
    write('better');
    await rest();
    click(() => reset());
    await until(() => seen() === 'better');
    click(() => write('best'));
    expect(seen()).toBe('best');
    await rest();
    expect(uncaught).toEqual([]);
  });
});

describe('a value that begins to throw while it is shown', () => {
  test('is the error of useDLE, and the next valid value is shown without a reset', async () => {
    const {
      text: seen,
      uncaught,
      write,
    } = page(() => {
      const { data, error } = useDLE(getNote, ARGS);
      return error ? `error: ${error.message}` : data?.text;
    });
    await until(() => seen() === 'good');
    await rest();
    click(() => write('bad'));
    expect(seen()).toContain('error: ');
    click(() => write('better'));
    expect(seen()).toBe('better');
    click(() => write('bad'));
    expect(seen()).toContain('error: ');
    await rest();
    click(() => write('best'));
    expect(seen()).toBe('best');
    expect(uncaught).toEqual([]);
  });

  test.each<[string, () => unknown]>([
    ['a record', () => useQuery(Note, ARGS)],
    ['a Query', () => useQuery(text, ARGS)],
    ['a live query', () => useQuery(badNotes)],
  ])('throws to the boundary from useQuery of %s, and is shown again when the boundary is reset', async (_, read) => {
    const { text: seen, uncaught, write } = page(() => JSON.stringify(read()));
    await until(() => seen().includes('good') || seen() === '[]');
    await rest();
    click(() => write('bad'));
    await until(() => seen().startsWith('failed: '));
    expect(seen()).toContain('cannot be read');
    write('better');
    click(() => reset());
    await until(() => seen().includes('better') || seen() === '[]');
    expect(uncaught).toEqual([]);
  });

  test.each<[string, Show]>([
    ['useCache', () => useCache(getNote, ARGS)?.text],
    ['useQuery', () => useQuery(Note, ARGS)?.text],
    ['useQuery of a Query', () => useQuery(text, ARGS)],
  ])('causes no uncaught error, and %s shows the next valid value', async (_, Note_) => {
    const { text: seen, uncaught, write } = page(Note_);
    await until(() => seen() === 'good');
    await rest();
    click(() => write('bad'));
    await rest();
    if (seen().startsWith('failed: ')) click(() => reset());
    click(() => write('better'));
    await rest();
    if (seen().startsWith('failed: ')) click(() => reset());
    await until(() => seen() === 'better');
    expect(uncaught).toEqual([]);
  });

  test('does not prevent the notification of other components', async () => {
    const {
      controller,
      text: seen,
      uncaught,
      write,
    } = page(() => (
      <>
        <Suspense>
          <Dle />
        </Suspense>
        <Other />
      </>
    ));
    function Dle(): ReactNode {
      return useDLE(getNote, ARGS).error ? 'error' : 'fine';
    }
    function Other(): ReactNode {
      return ` ${useQuery(Note, { id: '2' })?.text}`;
    }
    await until(() => seen() === 'fine undefined');
    await rest();
    click(() =>
      controller.batch(() => {
        write('bad');
        void controller.set(Note, { id: '2' }, { id: '2', text: 'other' });
      }),
    );
    expect(seen()).toBe('error other');
    await rest();
    expect(uncaught).toEqual([]);
  });
});

test.each<[hook: string, show: (endpoint: typeof getNote) => ReactNode]>([
  ['useSuspense', (endpoint) => useSuspense(endpoint, ARGS).text],
  [
    'useDLE',
    (endpoint) => {
      const { error, data } = useDLE(endpoint, ARGS);
      return error === undefined ? (data?.text ?? 'loading') : `failed: ${error.message}`;
    },
  ],
])(
  'a request that a timeout has ended is not sent again, although each render has a new signal (%s)',
  async (_hook, of) => {
    const signals: AbortController[] = [];
    const asked: string[] = [];
    const controller = new Controller();
    onTestFinished(() => controller.dispose());
    function fetchNote(this: { signal?: AbortSignal }, { id }: { id: string }): Promise<{ id: string; text: string }> {
      asked.push(id);
      return new Promise((_, reject) => this.signal?.addEventListener('abort', () => reject(this.signal?.reason)));
    }
    const slow = getNote.extend({ fetch: fetchNote, errorExpiryLength: 60_000 });
    function View(): ReactNode {
      const aborting = new AbortController();
      signals.push(aborting);
      return of(slow.extend({ signal: aborting.signal }));
    }
    const shown = show(
      <DataProvider controller={controller}>
        <AsyncBoundary fallback="loading" errorComponent={Failed}>
          <View />
        </AsyncBoundary>
      </DataProvider>,
    );
    await until(() => asked.length > 0);
    for (const aborting of signals) aborting.abort(new DOMException('too late', 'TimeoutError'));
    await rest();
    expect(shown.text()).toBe('failed: too late');
    expect(asked).toEqual(['1']);
  },
);
