/** R14: on random screens with random answers, one cause leads to at most one request for a key. */
import { type ReactNode, Suspense } from 'react';
import { describe, expect, test } from 'vitest';
import { Controller, Endpoint, type EndpointInterface, Entity } from 'rejoin';
import { DataProvider, ErrorBoundary, useCache, useDLE, useFetch, useSuspense } from 'rejoin/react';
import { rest, show } from './harness.tsx';
import { random } from './random.ts';

const SCREENS = Number(process.env['REJOIN_SCREENS'] ?? 20);

class Author extends Entity {
  id = '';
  name = '';
  static override key = 'Author';
}
class Book extends Entity {
  id = '';
  title = '';
  author = Author.fromJS();
  similar: Book[] = [];
  static override key = 'Book';
  static override schema: Record<string, unknown> = { author: Author };
}
Book.schema = { ...Book.schema, similar: [Book] };

let total = 0;
const IDS = ['1', '2', '3'];

/** A server that often fails, and never sends the same answer twice. */
function screen(seed: number) {
  const { below, pick, isLucky } = random(seed);
  const clock = { time: 1_000_000 };
  const controller = new Controller({ now: () => clock.time });
  const asked = new Map<string, number>();
  const causes = new Map<string, number>();
  const book = (id: string): unknown => ({
    id,
    ...(isLucky(0.8) && { title: `${below(1000)}` }),
    ...(isLucky(0.8) && { author: isLucky(0.5) ? { id: pick(IDS), name: `${below(1000)}` } : pick(IDS) }),
    ...(isLucky(0.5) && { similar: IDS.map((other) => ({ id: other, title: `${below(1000)}` })) }),
  });
  const answers = (key: string, response: () => unknown) => async (): Promise<unknown> => {
    asked.set(key, (asked.get(key) ?? 0) + 1);
    if (isLucky(0.3)) await rest(below(4));
    if (isLucky(0.15)) throw isLucky(0.3) ? new DOMException('away', 'AbortError') : new Error(`no ${below(1000)}`);
    return response();
  };
  const options = () => ({
    dataExpiryLength: pick([0, 60_000, 1]),
    errorExpiryLength: pick([0, 1000]),
    invalidIfStale: isLucky(0.3),
    errorPolicy: () => pick(['soft', 'hard'] as const),
  });
  const endpoints = [
    ...IDS.map(
      (id) =>
        new Endpoint(
          answers(`book ${id}`, () => book(id)),
          { name: `book ${id}`, schema: Book, ...options() },
        ),
    ),
    ...IDS.map(
      (id) =>
        new Endpoint(
          answers(`author ${id}`, () => ({ id, name: `${below(1000)}` })),
          {
            name: `author ${id}`,
            schema: Author,
            ...options(),
          },
        ),
    ),
    new Endpoint(
      answers('books', () => IDS.filter(() => isLucky(0.7)).map(book)),
      {
        name: 'books',
        schema: [Book],
        ...options(),
      },
    ),
    new Endpoint(
      answers('page', () => ({ best: book('1'), rest: IDS.map(book) })),
      {
        name: 'page',
        schema: { best: Book, rest: [Book] },
        ...options(),
      },
    ),
  ];
  const caused = (name: string): void => void causes.set(name, (causes.get(name) ?? 0) + 1);
  return { below, pick, isLucky, clock, controller, asked, causes, caused, endpoints };
}

describe('requests', () => {
  test(`of ${SCREENS} random screens are sent at most once for each cause`, { timeout: 120_000 }, async () => {
    for (let seed = 1; seed <= SCREENS; seed++) {
      // oxlint-disable-next-line no-await-in-loop -- one screen after the other
      await play(seed);
    }
    // A run without requests would prove nothing.
    expect(total).toBeGreaterThan(SCREENS);
  });
});

async function play(seed: number): Promise<void> {
  const { below, pick, isLucky, clock, controller, asked, causes, caused, endpoints } = screen(seed);
  const kinds = [useSuspense, useDLE, useFetch, useCache] as unknown as readonly ((
    endpoint: EndpointInterface,
  ) => unknown)[];
  const parts = Array.from({ length: 2 + below(8) }, () => ({ endpoint: pick(endpoints), use: pick(kinds) }));
  function Part({ at }: { at: number }): ReactNode {
    const { endpoint, use } = parts[at] as (typeof parts)[0];
    use(endpoint);
    return 'x';
  }
  const page = (count: number): ReactNode => (
    <DataProvider controller={controller}>
      {parts.slice(0, count).map((_, at) => (
        <Suspense key={at} fallback="…">
          <ErrorBoundary>
            <Part at={at} />
          </ErrorBoundary>
        </Suspense>
      ))}
    </DataProvider>
  );
  const shownLater = below(parts.length);
  for (const [at, { endpoint }] of parts.entries()) if (at < shownLater) caused(endpoint.name);
  const shown = show(page(shownLater), { isStrict: isLucky(0.5) });
  const events = [
    () => {
      for (const [at, { endpoint }] of parts.entries()) if (at >= shownLater) caused(endpoint.name);
      shown.render(page(parts.length));
    },
    () => {
      const endpoint = pick(endpoints);
      caused(endpoint.name);
      void controller.invalidate(endpoint);
    },
    () => {
      for (const { name } of endpoints) caused(name);
      void controller.expireAll({ testKey: () => true });
    },
    () => {
      // A required record is deleted. Its readers have to fetch it, and may get no value.
      for (const { name } of endpoints) caused(name);
      controller.store.invalidate(pick([Author, Book]), pick(IDS));
    },
    () => void (clock.time += pick([1, 500, 5000])),
  ];
  for (let step = 0; step < 6; step++) {
    // oxlint-disable-next-line no-await-in-loop -- events follow each other
    await rest(2 + below(4));
    pick(events)();
  }
  await rest(40);
  shown.unmount();
  const over = [...asked].filter(([name, count]) => count > (causes.get(name) ?? 0));
  expect(over, `seed ${seed}: ${JSON.stringify([...causes])}`).toEqual([]);
  total += sum(asked.values());
}

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((before, count) => before + count, 0);
}
