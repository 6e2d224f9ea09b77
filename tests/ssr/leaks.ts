import { createElement as h, type ReactNode, Suspense } from 'react';
import { Collection, Endpoint, Entity } from '../../src/index.ts';
import { DataProvider, useQuery, useSuspense } from '../../src/react.ts';
import { ServerSession } from '../../src/ssr.ts';
import { Fixtures } from '../../src/control/testing/fixtures.ts';
import { piped, streamed } from './render.ts';

class Note extends Entity {
  id = '';
  text = '';
  static override key = 'Note';
}

const notes = new Collection([Note]);
/** A request with the same key for each user, and a different answer for each. */
const getMe = new Endpoint(async (): Promise<{ id: string; text: string }> => never(), { name: 'me', schema: Note });
const getNotes = new Endpoint(async (): Promise<{ id: string; text: string }[]> => never(), {
  name: 'notes',
  schema: notes,
});

async function never(): Promise<never> {
  throw new Error('asked outside of a session');
}

function Me(): ReactNode {
  return h('h1', null, useSuspense(getMe).text);
}

function Notes(): ReactNode {
  const list = useSuspense(getNotes);
  return h(
    'ul',
    null,
    ...list.map(({ id, text }) => h('li', { key: id }, text)),
    h('b', null, useQuery(notes)?.length),
  );
}

/** Answers of one user's API, each after some turns of its own. */
function answersOf(marker: string, random: () => number): Fixtures {
  const soon = async <T>(answer: T): Promise<T> => {
    for (let turns = Math.floor(random() * 8); turns > 0; turns--)
      await new Promise((resolve) => void setImmediate(resolve));
    return answer;
  };
  return new Fixtures({
    fixtures: [
      { endpoint: getMe, response: async () => soon({ id: 'me', text: marker }) },
      {
        endpoint: getNotes,
        response: async () => soon([1, 2].map((at) => ({ id: `n${at}`, text: `${marker} ${at}` }))),
      },
    ],
  });
}

async function pageOf(marker: string, random: () => number): Promise<string> {
  const session = new ServerSession({ managers: [answersOf(marker, random)] });
  const { controller, rendering } = session;
  const tree = h(
    DataProvider,
    { controller, rendering },
    h(Suspense, { fallback: 'loading' }, h(Me)),
    h(Suspense, { fallback: 'loading' }, h(Notes)),
  );
  return (await (random() < 0.5 ? piped : streamed)(session, tree)).join('');
}

/** Renders the pages of all users at once, `times` for each. Returns the number of pages, and their faults. */
export async function foreignMarkers(
  users: number,
  times: number,
  random: () => number,
): Promise<{ readonly pages: number; readonly wrong: readonly string[] }> {
  const wrong: string[] = [];
  const pages = Array.from({ length: users * times }, async (_, at) => {
    const marker = `marker-of-${at % users}-here`;
    const html = await pageOf(marker, random);
    const found = [...html.matchAll(/marker-of-\d+-here/g)].map(([word]) => word);
    if (found.length < 6) wrong.push(`page ${at} has its own marker ${found.length} times`);
    for (const word of found) if (word !== marker) wrong.push(`page ${at} has ${word}`);
  });
  await Promise.all(pages);
  return { pages: pages.length, wrong };
}

/**
 * Renders one page after the other. Returns the growth of the heap from the first half to the end, each measured
 * twice, because code that is compiled meanwhile is on the heap too; and the number of remaining timers.
 */
export async function heapOf(pages: number): Promise<{ readonly growth: number; readonly timers: number }> {
  const random = (): number => 0.4;
  const heaps: number[] = [];
  let done = 0;
  for (const share of [1 / 3, 1 / 2, 5 / 6, 1]) {
    for (; done < pages * share; done++) await pageOf('marker-of-1-here', random);
    heaps.push(await heap());
  }
  const timers = process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length;
  const before = Math.max(...heaps.slice(0, 2));
  return { growth: (Math.min(...heaps.slice(2)) - before) / before, timers };
}

/** Waits for the timers that remove data after a second. */
async function heap(): Promise<number> {
  await new Promise((resolve) => void setTimeout(resolve, 1500));
  for (let round = 0; round < 4; round++) {
    (globalThis as { gc?: () => void }).gc?.();
    await new Promise((resolve) => void setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}
