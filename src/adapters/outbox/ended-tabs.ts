import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { StorageContent } from '../../std/text-storage.ts';
import type { Marker } from '../persist/marker.ts';
import type { EntryList } from './entry-list.ts';
import type { EntryRuns } from './entry-runs.ts';
import type { QueuedEntry } from './outbox-entry.ts';
import { isKnownHere } from './outbox-errors.ts';
import type { OutboxEvent } from './outbox-event.ts';
import type { OutboxJournal } from './outbox-journal.ts';
import type { TabClaims } from './tab-claims.ts';
import type { TabEntries } from './tab-entries.ts';

/** The parts and options of an outbox that `takeOverEntries` needs. */
export interface TakeOverParts {
  readonly endpoints: ReadonlyMap<string, EndpointInterface>;
  readonly journal: OutboxJournal;
  readonly marker: Marker;
  readonly claims: TabClaims;
  readonly timeout: number;
  readonly onEvent: (event: OutboxEvent) => void;
}

/** An outbox that takes over entries. */
export interface EndedTabsQueue {
  readonly list: EntryList;
  /** Called before the entries are read. Changes of other tabs after this call need another reading. */
  noteTakeOver(): void;
  /** Whether the entries of earlier starts have been taken over. */
  readonly isRestored: boolean;
  readonly isEnded: boolean;
  /** How often in a row the entries could not be read. */
  readonly failedReads: number;
  readonly runs: Pick<EntryRuns, 'beginRestored'>;
  /** Called when the storage has answered. From then on, the first screen waits until the entries have their guesses. */
  noteTaking(work: Promise<unknown>): void;
  /** Runs work in slices of time. The page does other work between them. */
  inSlices(work: Generator<undefined, void>): Promise<unknown>;
  /** Called when all entries that are taken over are in the list. From then on, entries are sent. */
  noteListed(): void;
  readonly elsewhere: Pick<TabEntries, 'isOver' | 'drop'>;
  /** Leaves an entry to another tab, which has taken it over. */
  leave(entry: QueuedEntry): void;
  /** Takes over the entries of another tab as soon as it has ended. */
  watch(tab: string): void;
  /** Writes the present pks of records into the arguments of all entries. */
  rename(renamed: ReadonlyMap<string, unknown>): void;
}

/**
 * Takes over the entries of tabs that have ended: those of earlier starts of the application, and those of tabs that were closed or killed. It
 * also takes over the entries that their own tab cannot send, because that tab does not know the endpoint. Resolves to the entries of the
 * other tabs, or to `undefined` if they could not be read. Never rejects.
 */
export async function takeOverEntries(
  parts: TakeOverParts,
  queue: EndedTabsQueue,
): Promise<readonly QueuedEntry[] | undefined> {
  try {
    return await parts.claims.alone((...tabs) => takeOverFrom(parts, queue, ...tabs));
  } catch (error) {
    queue.noteTakeOver();
    // The manager may have been started again meanwhile.
    if (queue.failedReads === 0 && !queue.isEnded) parts.journal.report(error);
    return undefined;
  }
}

async function takeOverFrom(
  parts: TakeOverParts,
  queue: EndedTabsQueue,
  alive: ReadonlySet<string>,
  wasLost: boolean,
): Promise<readonly QueuedEntry[]> {
  const { claims, journal, marker, timeout } = parts;
  queue.noteTakeOver();
  for (const tab of alive) queue.watch(tab);
  const isMarked = !queue.isRestored && (await marker.isSet());
  const kept = queue.list.all.filter(({ isKept }) => isKept);
  const content = await journal.read(timeout);
  const taking = take(parts, queue, { alive, content, isMarked, lost: wasLost ? kept : [] });
  queue.noteTaking(taking);
  const left = await taking;
  // Another tab may read the entries as soon as this returns.
  if (claims.isShared && !queue.isEnded) await journal.flush();
  return left;
}

interface FoundContent {
  readonly content: StorageContent;
  readonly alive: ReadonlySet<string>;
  /** Whether the storage had entries when the application last ran. */
  readonly isMarked: boolean;
  /** The entries of this tab that another tab may have taken over. */
  readonly lost: readonly QueuedEntry[];
}

/** Takes over what the storage has. Resolves to the entries of the other tabs. */
async function take(
  parts: TakeOverParts,
  queue: EndedTabsQueue,
  { alive, content, isMarked, lost }: FoundContent,
): Promise<readonly QueuedEntry[]> {
  const { claims, endpoints, journal, marker, onEvent } = parts;
  const { damaged, entries, isEmpty, renamed } = await journal.parse(content, endpoints);
  if (queue.isEnded) return [];
  const own = new Set(entries.flatMap(({ id, tab }) => (tab === claims.id ? id : [])));
  for (const entry of lost) if (!own.has(entry.id) && queue.list.includes(entry)) queue.leave(entry);
  const known = new Set(queue.list.all.map(({ id }) => id));
  // As long as there are entries or other tabs, the new pks are kept: another tab may show a record under its temporary pk, and keep an edit of it.
  if (entries.length + damaged + queue.list.all.length + alive.size === 0) journal.forget(renamed.keys());
  if (isMarked && isEmpty) onEvent({ type: 'lost' });
  if (!queue.isRestored && damaged > 0) onEvent({ type: 'dropped', entries: damaged });
  const isLeft = ({ id, tab }: QueuedEntry): boolean => queue.elsewhere.isOver(id) && !alive.has(tab);
  for (const entry of entries.filter(isLeft)) void journal.remove(entry, new Map());
  const others = entries.filter(({ id, tab }) => !known.has(id) && tab !== claims.id && !queue.elsewhere.isOver(id));
  const taken = others.filter((entry) => !alive.has(entry.tab) || isKnownHere(entry));
  const isTaken = new Set(taken);
  const left = others.filter((entry) => !isTaken.has(entry));
  await queue.inSlices(restored(parts, queue, { taken, renamed }));
  if (queue.isEnded) return [];
  if (!queue.isRestored) void marker.set(entries.length > 0);
  if (taken.length > 0) onEvent({ type: 'restored', entries: taken.length });
  return left;
}

interface TakenEntries {
  readonly taken: readonly QueuedEntry[];
  readonly renamed: ReadonlyMap<string, unknown>;
}

/** Adds entries to the list, and begins their runs, one for each step. People can make, edit and discard entries between the steps. */
function* restored(
  { claims, journal }: TakeOverParts,
  queue: EndedTabsQueue,
  { renamed, taken }: TakenEntries,
): Generator<undefined, void> {
  for (const entry of taken) {
    queue.elsewhere.drop(entry.id);
    queue.list.add(entry);
    yield;
  }
  queue.rename(renamed);
  queue.noteListed();
  for (const entry of queue.runs.beginRestored(taken)) {
    if (claims.isShared) {
      entry.tab = claims.id;
      void journal.put(entry);
    }
    yield;
  }
}
