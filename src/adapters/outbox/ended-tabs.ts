import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
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
  { claims, endpoints, journal, marker, onEvent, timeout }: TakeOverParts,
  queue: EndedTabsQueue,
  alive: ReadonlySet<string>,
  wasLost: boolean,
): Promise<readonly QueuedEntry[]> {
  queue.noteTakeOver();
  for (const tab of alive) queue.watch(tab);
  const isMarked = !queue.isRestored && (await marker.isSet());
  const { damaged, entries, isEmpty, renamed } = await journal.read(timeout, endpoints);
  if (queue.isEnded) return [];
  if (wasLost) {
    const own = new Set(entries.flatMap(({ id, tab }) => (tab === claims.id ? id : [])));
    for (const entry of queue.list.all) if (entry.isKept && !own.has(entry.id)) queue.leave(entry);
  }
  const known = new Set(queue.list.all.map(({ id }) => id));
  // As long as there are entries or other tabs, the new pks are kept: another tab may show a record under its temporary pk, and keep an edit of it.
  if (entries.length + damaged + queue.list.all.length + alive.size === 0) journal.forget(renamed.keys());
  if (isMarked && isEmpty) onEvent({ type: 'lost' });
  if (!queue.isRestored && damaged > 0) onEvent({ type: 'dropped', entries: damaged });
  const isLeft = ({ id, tab }: QueuedEntry): boolean => queue.elsewhere.isOver(id) && !alive.has(tab);
  for (const { id } of entries.filter(isLeft)) void journal.remove(id, new Map());
  const others = entries.filter(({ id, tab }) => !known.has(id) && tab !== claims.id && !queue.elsewhere.isOver(id));
  const taken = others.filter((entry) => !alive.has(entry.tab) || isKnownHere(entry));
  for (const entry of taken) {
    queue.elsewhere.drop(entry.id);
    queue.list.add(entry);
  }
  // Edits of this tab may be later than the entries that were taken over.
  if (taken.length > 0) for (const entry of queue.list.all) queue.list.relate(entry);
  queue.rename(renamed);
  queue.runs.beginRestored(taken);
  if (!queue.isRestored) void marker.set(entries.length > 0);
  if (taken.length > 0) onEvent({ type: 'restored', entries: taken.length });
  const left = others.filter((entry) => !queue.list.includes(entry));
  if (!claims.isShared) return left;
  for (const entry of taken) {
    entry.tab = claims.id;
    void journal.put(entry);
  }
  // Another tab may read the entries as soon as this returns.
  await journal.flush();
  return left;
}
