import { expect, test } from 'vitest';
import { resource } from '../../define/rest/resource.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { Todo } from '../../../tests/model.ts';
import { EMPTY_QUEUE } from '../../../tests/outbox/empty-queue.ts';
import { EntryIndex } from './entry-index.ts';
import { EntryList } from './entry-list.ts';
import { QueuedEntry } from './outbox-entry.ts';
import { TabEntries } from './tab-entries.ts';

const { partialUpdate } = resource({ path: '/todos/:id', schema: Todo });
const merged = partialUpdate.extend({ offline: { coalesce: true } });

let visits = 0;

/** An entry that counts how often a list compares it with other entries, or reads its queues. */
class CountedEntry extends QueuedEntry {
  override isBefore(other: QueuedEntry): boolean {
    visits++;
    return super.isBefore(other);
  }

  override get queues(): readonly string[] {
    visits++;
    return super.queues;
  }

  override get texts(): ReadonlySet<string> {
    visits++;
    return super.texts;
  }
}

function entryOf(at: number, record: string, endpoint: EndpointInterface = partialUpdate): QueuedEntry {
  const made = { id: String(at), place: at, name: 'Todo.partialUpdate', createdAt: at, endpoint };
  return new CountedEntry({ ...made, args: [{ id: record }, { title: `title ${at}` }] });
}

function listOf(entries: readonly QueuedEntry[]): EntryList {
  const list = new EntryList({ index: new EntryIndex() }, new Set());
  for (const entry of entries) list.add(entry);
  return list;
}

/** How often entries are visited while some are added, looked up, renamed and answered. */
function visitsOf(amount: number, recordOf: (at: number) => string): number {
  visits = 0;
  const list = listOf(Array.from({ length: amount }, (_, at) => entryOf(at, recordOf(at))));
  for (let at = 0; at < amount; at++) {
    list.coalesce(entryOf(amount + at, recordOf(at), merged));
    list.relateAll(list.naming([`title ${at}`]));
    expect(list.has(String(at))).toBe(true);
  }
  for (let at = 0; at < amount; at++) list.remove(list.find(String(at)));
  expect(list.size).toBe(0);
  return visits;
}

test.each([
  ['different records', (at: number) => String(at)],
  ['ten records', (at: number) => String(at % 10)],
  ['one record', () => 'one'],
])('twice as many entries of %s are about twice the work', (_, recordOf) => {
  const once = visitsOf(500, recordOf);
  expect(once).toBeGreaterThan(500);
  // The search for the place of an entry in its queue has one more step.
  expect(visitsOf(1000, recordOf) / once).toBeLessThan(2.3);
});

/** How often entries are visited while another tab announces some, one after another, and this tab asks for each of its own what comes before. */
function visitsOfAnnounced(amount: number): number {
  const queue = EMPTY_QUEUE;
  const elsewhere = new TabEntries({ port: undefined, read: () => Promise.resolve([]), onChange: () => {}, queue });
  const others = Array.from({ length: amount }, (_, at) => entryOf(at, String(at)));
  const list = new EntryList(elsewhere, new Set());
  visits = 0;
  for (let count = 1; count <= amount; count++) elsewhere.set(others.slice(0, count));
  for (let at = 0; at < amount; at++) {
    const entry = entryOf(list.nextPlace, String(at), merged);
    expect(list.coalesce(entry)).toBe(undefined);
    list.add(entry);
    expect(list.othersBefore(entry)).toEqual([String(at)]);
    expect(list.stoppedBefore(entry)).toBe(undefined);
  }
  return visits;
}

test('twice as many entries of another tab are about twice the work', () => {
  const once = visitsOfAnnounced(500);
  expect(once).toBeGreaterThan(500);
  expect(visitsOfAnnounced(1000) / once).toBeLessThan(2.3);
});

test('an entry waits for the one before it in its queue, also after the one between them was given up', () => {
  const entries = [1, 2, 3].map((at) => entryOf(at, 'one'));
  const [first, second, third] = entries as [QueuedEntry, QueuedEntry, QueuedEntry];
  const list = listOf([first, third, second]);
  list.relate(third);
  expect([...third.after]).toEqual([second]);
  list.remove(second);
  expect([...third.after]).toEqual([first]);
  expect([...first.later]).toEqual([third]);
});

test('an entry that was taken out is not found again when it changes', () => {
  const entry = entryOf(1, 'one');
  const list = listOf([entry]);
  list.remove(entry);
  entry.args = [{ id: 'two' }, { title: 'changed' }];
  expect(list.all).toEqual([]);
  expect(list.naming(['changed'])).toEqual([]);
  list.add(entry);
  list.clear();
  entry.args = [{ id: 'three' }, { title: 'changed' }];
  expect(list.size).toBe(0);
});

test('a listener that subscribes again in its call is called once for each change', () => {
  const listeners = new Set<() => void>();
  const list = new EntryList({ index: new EntryIndex() }, listeners);
  let calls = 0;
  const listener = (): void => {
    calls++;
    if (calls > 3) return;
    listeners.delete(listener);
    listeners.add(listener);
  };
  listeners.add(listener);
  list.notify();
  expect(calls).toBe(1);
});
