import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { isPlain, type Fields } from '../../std/plain.ts';
import { isBareAnswer } from '../schema/bare-answer.ts';
import { collectionIn } from './collection-in.ts';
import { type FieldErrors, reasonsOf } from './error-reasons.ts';
import type { AnyWire, WireEndpoint } from './wire-shape.ts';

/** An item of a batch that the server refused. */
export interface RefusedItem {
  /** Its index in the batch. */
  readonly index: number;
  /** The item as it was sent. */
  readonly item: unknown;
  readonly status: number | undefined;
  /** The answer of the server for this item. */
  readonly data: unknown;
  readonly message: string | undefined;
  readonly fieldErrors: FieldErrors | undefined;
}

/** The error if some items of a batch were refused. The other items were carried out and are stored. */
export class BatchError extends DataError {
  override readonly name: string = 'BatchError';
  override readonly status: number = 207;
  readonly refused: readonly RefusedItem[];

  constructor(refused: readonly RefusedItem[], count: number, what: string) {
    const reasons = refused
      .map(({ index, message, status }) => `[${index}] ${message ?? status ?? 'refused'}`)
      .join('; ');
    const end = reasons.endsWith('.') ? '' : '.';
    super('batch-refused', `${what}: ${refused.length} of ${count} items were refused: ${reasons}${end}`);
    this.refused = refused;
  }
}

/** The body of an answer with status 207. */
export class BatchAnswer {
  readonly answer: unknown;
  readonly headers: Headers;

  constructor(answer: unknown, headers: Headers) {
    this.answer = answer;
    this.headers = headers;
  }

  /** Creates the error for an answer in an unknown form, which does not say what happened to each item. */
  unreadable(what: string, cause?: unknown): DataError {
    const { answer } = this;
    const form = Array.isArray(answer) ? 'a list' : `{ ${Object.keys(Object(answer)).join(', ')} }`;
    const error = new DataError(
      'batch-unreadable',
      `${what} was answered with 207 and ${isPlain(answer) ? form : String(answer)}, which does not tell the outcome of each item.`,
      { cause, cure: inDevelopment(() => 'Convert the answer to [{ status, body }] in parseJson() of the endpoint.') },
    );
    error.status = 207;
    return error;
  }
}

/** The outcome of each item of a batch. */
export class Outcomes {
  /** The values of the items that were carried out: as the server returned them, else as they were sent. */
  readonly values: readonly unknown[];
  readonly refused: readonly RefusedItem[];
  readonly count: number;
  /** True if several items were sent, one outcome came back, and it is not a refusal. The outcomes of the items are then unknown. */
  readonly isUnreadable: boolean;

  /** With the schema of the endpoint, an accepted item without a field of its records is not a record. */
  constructor({ answer, headers }: BatchAnswer, sent: unknown, endpoint: BatchEndpoint) {
    const bodies: readonly unknown[] = Array.isArray(sent) ? sent : [];
    const items = listIn(answer);
    const itemEndpoint = Object.create(endpoint, { schema: { value: itemSchemaOf(endpoint.schema) } }) as BatchEndpoint;
    const outcomes = (items ?? [answer]).map((item, index) =>
      outcomeOf(item, { index, sent: bodies[index], endpoint: itemEndpoint, headers }),
    );
    this.count = outcomes.length;
    this.refused = outcomes.flatMap((one) => ('refused' in one ? [one.refused] : []));
    this.values = outcomes.flatMap((one) => ('value' in one ? [one.value] : []));
    this.isUnreadable = items === undefined && bodies.length > 1 && this.refused.length === 0;
  }
}

/** The part of an endpoint that reads the items of a batch. */
export interface BatchEndpoint extends WireEndpoint {
  readonly wire?: AnyWire | undefined;
}

/** Returns the schema of one record for that of a list. */
function itemSchemaOf(schema: unknown): unknown {
  const list: unknown = collectionIn(schema)?.schema ?? schema;
  if (Array.isArray(list)) return list[0];
  return 'listOf' in Object(list) ? (list as { readonly schema: unknown }).schema : list;
}

type ItemOutcome = { readonly value: unknown } | { readonly refused: RefusedItem };
/** Names of the fields that hold the value and the status of an item. */
const VALUES = ['body', 'data', 'resource', 'record', 'value', 'result', 'response'];
const STATUSES = ['status', 'statusCode', 'status_code', 'code'];
/** How deeply the list of outcomes may be nested in other objects. */
const MAX_ENVELOPES = 3;

/** Returns an answer that is a list, or the only list in it, or the only list in its only object. */
function listIn(answer: unknown, envelopes: number = MAX_ENVELOPES): readonly unknown[] | undefined {
  if (Array.isArray(answer)) return answer;
  if (!isPlain(answer) || envelopes === 0) return undefined;
  const members = Object.values(answer);
  const lists = members.filter((member) => Array.isArray(member));
  if (lists.length > 0) return lists.length === 1 ? lists[0] : undefined;
  const objects = members.filter((member) => isPlain(member));
  return objects.length === 1 ? listIn(objects[0], envelopes - 1) : undefined;
}

/** An item that was sent. */
interface SentItem {
  readonly index: number;
  readonly sent: unknown;
  /** The endpoint with the schema of one record. */
  readonly endpoint: BatchEndpoint;
  readonly headers: Headers;
}

function outcomeOf(item: unknown, each: SentItem): ItemOutcome {
  const { index, sent, endpoint } = each;
  if (item === null || item === undefined) return { value: recordSent(each) };
  const fields = item as Fields;
  const status = STATUSES.map((name) => statusIn(fields[name])).find((one) => one !== undefined);
  // A text can be a field of the record, such as the body of a post.
  const valueField = VALUES.find((name) => isPlain(fields[name]));
  const reason: unknown = fields['error'] ?? fields['errors'];
  const isRefused =
    status === undefined ? isMarkedFailed(fields) || (isThere(reason) && valueField === undefined) : status >= 400;
  if (!isRefused) return { value: acceptedValueOf(fields, valueField, each) };
  const value: unknown = VALUES.map((name) => fields[name]).find(isThere);
  const data = isThere(reason) ? fields : (value ?? fields);
  return { refused: { index, item: sent, status, data, ...(endpoint.wire?.reasons?.(data) ?? reasonsOf(data)) } };
}

/** Returns whether an item says in words that it was refused. An item with an `id` is a record, and its `status` may be a field. */
function isMarkedFailed(fields: Fields): boolean {
  const isFailed = STATUSES.some((name) => FAILURE_WORDS.has(fields[name])) && !Object.hasOwn(fields, 'id');
  return isFailed || fields['success'] === false || fields['ok'] === false;
}
const FAILURE_WORDS: ReadonlySet<unknown> = new Set(['error', 'failed', 'failure', 'rejected', 'refused', 'invalid']);

/** Returns the value of an accepted item, or the item as it was sent if the answer says only that it was accepted. */
function acceptedValueOf(fields: Fields, valueField: string | undefined, each: SentItem): unknown {
  const sent = recordSent(each);
  const isOfAnswer = (name: string): boolean => STATUSES.includes(name) && statusIn(fields[name]) !== undefined;
  const own = Object.fromEntries(Object.entries(fields).filter(([name]) => !isOfAnswer(name)));
  const hasStatus = Object.keys(own).length < Object.keys(fields).length;
  if (valueField === undefined && !hasStatus) return valueRead(fields, fields, each) ?? sent;
  const value = valueRead(valueField === undefined ? own : fields[valueField], own, each);
  // With a status, a value without a record, such as `{ message: 'Saved' }`, is a bare answer.
  if (!isThere(value) || (hasStatus && isBareAnswer(each.endpoint.schema, value, [[]]))) return sent;
  return valueField === undefined ? { ...Object(sent), ...Object(value) } : value;
}

function recordSent({ sent, endpoint: { wire } }: SentItem): unknown {
  return (isPlain(sent) && wire?.guess?.(sent as Fields)) || sent;
}

/** Returns the value of an item in the form of its class. */
function valueRead(value: unknown, item: Fields, { endpoint, headers }: SentItem): unknown {
  const { wire } = endpoint;
  if (wire === undefined || !isPlain(value)) return value;
  // In an item of JSON:API, the field `data` is a part of the document.
  return wire.read(value, endpoint, headers) ?? wire.read(item, endpoint, headers);
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
}

/** Returns a status that is a number, or a text such as `HTTP/1.1 404 Not Found`. */
function statusIn(value: unknown): number | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const status = Number(/\b[1-5]\d\d\b/.exec(text)?.[0]);
  return Number.isNaN(status) ? undefined : status;
}
