import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { NestedEdits, type SavedNestedEdits } from '../../state/store/nested-edits.ts';
import { isPlain } from '../../std/plain.ts';
import { argsFromText } from './args-text.ts';
import { type CreatedRecord, QueuedEntry } from './outbox-entry.ts';

/** An edit as it is in the storage. Fixed format: disks have it, and tabs of other versions read and write it. */
interface SavedEdit {
  readonly format: 'rejoin-outbox';
  readonly version: 1;
  readonly id: string;
  readonly place: number;
  readonly endpoint: string;
  readonly createdAt: number;
  readonly args: unknown;
  readonly files: number;
  readonly tries: number;
  readonly revision: number;
  readonly isSent: boolean;
  readonly isStopped: boolean;
  readonly creates: readonly CreatedRecord[];
  readonly nestedEdits?: SavedNestedEdits;
  readonly base: unknown;
  readonly basedOn: string | undefined;
  readonly tab: string;
  readonly error: unknown;
}

/** Returns the text of an entry for the storage, and the files in its arguments. */
export async function toText(entry: QueuedEntry): Promise<readonly [json: string, files: readonly string[]]> {
  const { argsText, base, basedOn, createdAt, creates, error, id, isSent, name, place, revision, state, tab, tries } =
    entry;
  const nestedEdits = entry.nestedEdits?.toJSON();
  const { json, files } = await argsText;
  const isStopped = state === 'stopped';
  const saved: SavedEdit = {
    ...{ format: 'rejoin-outbox', version: 1, id, place, endpoint: name, createdAt, args: json, files: files.length },
    ...{
      tries,
      revision,
      isSent,
      isStopped,
      creates,
      ...(nestedEdits?.length && { nestedEdits }),
      base: plainOf(base),
      basedOn,
      tab,
      error: error === undefined ? undefined : dataOf(error),
    },
  };
  return [JSON.stringify(saved), files];
}

/** Reads what `toText` has made. Throws for anything else. */
export function entryFrom(
  json: string,
  fileAt: (id: string, at: number) => string | undefined,
  endpoints: ReadonlyMap<string, EndpointInterface>,
): QueuedEntry {
  const saved = JSON.parse(json) as SavedEdit;
  if (!isPlain(saved) || saved.format !== 'rejoin-outbox' || saved.version !== 1)
    throw new TypeError('Not an entry of this version.');
  const { base, basedOn, creates, endpoint: name, id, createdAt, place, revision, tab, tries } = saved;
  const isRead =
    [id, name, tab].every((text) => typeof text === 'string') &&
    [createdAt, place, revision, tries].every(Number.isFinite) &&
    Array.isArray(creates) &&
    creates.every((created) => typeof Object(created).pk === 'string');
  if (!isRead) throw new TypeError('Not an entry.');
  const files: string[] = [];
  for (let file = fileAt(id, 0); file !== undefined; file = fileAt(id, files.length)) files.push(file);
  const args = argsFromText({ json: saved.args, files });
  const entry = new QueuedEntry({ id, place, name, createdAt, args, endpoint: endpoints.get(name) });
  Object.assign(entry, { base, basedOn, creates, isSent: saved.isSent, revision, tab, tries, isKept: true });
  if (saved.nestedEdits) entry.nestedEdits = new NestedEdits(saved.nestedEdits);
  entry.stored = { args, files: files.length };
  entry.state = saved.isStopped ? 'stopped' : 'waiting';
  if (saved.error !== undefined) entry.error = errorFrom(saved.error);
  return entry;
}

/** Returns the members of an error that are kept. */
function dataOf(error: unknown): object {
  const { code, fieldErrors, data, message, name, status } = Object(error) as Readonly<Record<string, unknown>>;
  return plainOf({ code, fieldErrors, data, message, name, status }) ?? { code, message: String(message), status };
}

/** Returns a value as JSON has it; `undefined` if JSON has no form for it. */
function plainOf(value: unknown): object | undefined {
  try {
    return JSON.parse(JSON.stringify(value)) as object;
  } catch {
    return undefined;
  }
}

function errorFrom(data: unknown): Error {
  const { message, ...others } = Object(data) as Readonly<Record<string, unknown>>;
  return Object.assign(new Error(String(message)), others);
}
