import { memberSchemas } from '../../define/schema/bare-answer.ts';
import { pkOfPart } from '../../define/schema/pk.ts';
import { memo } from '../../std/memo.ts';
import { isDeletion } from '../../define/schema/invalidate.ts';
import { isEntity } from '../../define/schema/entity.ts';
import { isObject } from '../../define/schema/fields.ts';
import type { Queryable } from '../../define/schema/infer-schema.ts';
import type { SnapshotReader } from '../../state/store/snapshot.ts';
import type { Store } from '../../state/store/store.ts';
import { equalPlain, type Fields, isPlain } from '../../std/plain.ts';
import { asStored } from './edits.ts';
import { entityOfPart, recordName } from './mutated-record.ts';
import type { Overlaps } from './overlaps.ts';
import type { PendingRecords } from './pending-records.ts';
import type { RequestInFlight } from './request-in-flight.ts';

/** The guesses of pending mutations. When a mutation is answered, the guesses of earlier mutations stop showing the fields that it edits. */
export class EditedGuesses {
  readonly #store: Store;
  readonly #overlaps: Overlaps;
  readonly #pendingRecords: PendingRecords;
  /** The mutations that show a guess, by the record that they edit, in the order of issue. */
  readonly #byRecord = new Map<string, Set<RequestInFlight>>();

  constructor(store: Store, overlaps: Overlaps, pendingRecords: PendingRecords) {
    this.#store = store;
    this.#overlaps = overlaps;
    this.#pendingRecords = pendingRecords;
  }

  /**
   * Returns the part of a guess to show on top of `below`: without the fields that a later mutation has edited, and without the records that it has
   * deleted. Notes the edited fields.
   */
  partToShow(
    request: RequestInFlight,
    response: unknown,
    below: SnapshotReader,
    schema: unknown = request.call.endpoint.schema,
  ): unknown {
    const { call, issue, mutation } = request;
    if (mutation === undefined || !isPlain(response)) return response;
    const { mutatedRecord, edits } = mutation;
    const members = memberSchemas(schema);
    if (members !== undefined) {
      const parts = Object.entries(response).map(
        ([name, part]: readonly [string, unknown]) =>
          [name, this.partToShow(request, part, below, Reflect.get(members, name))] as const,
      );
      return Object.fromEntries(parts.filter(([, part]) => part !== undefined));
    }
    const ownRecord = schema === call.endpoint.schema ? mutatedRecord : undefined;
    const show = (item: unknown, ownPk?: string): unknown => {
      if (!isPlain(item) || Array.isArray(item)) return item;
      const entity = ownRecord?.entity ?? entityOfPart(this.#store, schema, item);
      if (entity === undefined) return item;
      const pk = ownPk ?? pkOfPart(entity, item, call.args);
      if (pk === undefined) return item;
      const present = this.#store.pkOf(entity.key, pk);
      const record = recordName(entity.key, present);
      memo(this.#byRecord, record, () => new Set<RequestInFlight>()).add(request);
      const row = Object(below.rowFields(entity.key, present, Object.keys(item))) as object;
      const shown = asStored(item, row, call.args);
      // A guess can be a copy of the value on the screen. Defaults, nested records, and fields whose nested record is hidden are not edits there.
      const isUnedited = ([field, guessed]: readonly [string, unknown]): boolean =>
        equalPlain(Reflect.get(row, field), guessed) ||
        (!Object.hasOwn(row, field) && isDefault(entity, field, guessed)) ||
        // Only for these: reading the record makes the guess depend on all of its fields.
        ((guessed === undefined || isObject(guessed)) &&
          Reflect.get(Object(below.get(entity as Queryable, pk)) as object, field) === guessed);
      this.#pendingRecords.note(request, record);
      edits.guess(
        record,
        Object.entries(shown).filter((field) => !isUnedited(field)),
      );
      const { deletionIssue = 0, createdIssue = 0 } = this.#overlaps.find(record) ?? {};
      if ((isDeletion(call.endpoint.schema) ? createdIssue : deletionIssue) > issue) return undefined;
      return this.#withoutLaterEdits(record, issue, shown);
    };
    if (!Array.isArray(response)) return show(response, ownRecord?.pk);
    return response.map((item: unknown) => show(item)).filter((item) => item !== undefined);
  }

  /** Notes the fields of a nested record that a guess edits. Returns the names of those that a later mutation has edited. */
  hiddenEdits(request: RequestInFlight, table: string, pk: string, edited: Fields): readonly string[] {
    const names = Object.keys(edited);
    if (names.length === 0 || request.mutation === undefined) return [];
    const record = recordName(table, this.#store.pkOf(table, pk));
    memo(this.#byRecord, record, () => new Set<RequestInFlight>()).add(request);
    request.mutation.edits.nest(record, edited);
    const shown = this.#withoutLaterEdits(record, request.issue, edited);
    return names.filter((name) => !Object.hasOwn(shown, name));
  }

  /** Call it when an answered mutation has edited a record: guesses that were issued before it then stop showing the fields that it edited. */
  outdateBefore(record: string, issue: number): void {
    for (const { issue: earlier, mutation } of this.#byRecord.get(record) ?? []) {
      if (earlier >= issue) break;
      mutation?.layer?.outdate();
    }
  }

  /** Call it when an edit has changed the pk of a record: the guesses of other mutations then are about the record with its present pk. */
  changePk(from: string, to: string): void {
    const requests = this.#byRecord.get(from);
    if (requests === undefined) return;
    this.#byRecord.delete(from);
    this.#byRecord.set(to, requests);
    for (const { mutation } of requests) mutation?.layer?.outdate();
  }

  /** Call it when a mutation has settled. */
  forget(request: RequestInFlight): void {
    for (const record of request.mutation?.edits.records ?? []) {
      const requests = this.#byRecord.get(record);
      if (requests?.delete(request) === true && requests.size === 0) this.#byRecord.delete(record);
    }
  }

  clear(): void {
    this.#byRecord.clear();
  }

  /** Returns a record of a guess without the fields that a later mutation has edited, unless the values are equal. */
  #withoutLaterEdits(record: string, issue: number, guessed: object): object {
    if (this.#overlaps.find(record) === undefined) return guessed;
    const isShown = ([field, value]: readonly [string, unknown]): boolean => {
      const later = this.#overlaps.laterEdit(record, field, issue);
      return later === undefined || equalPlain(later.edit, value);
    };
    return Object.fromEntries(Object.entries(guessed).filter(isShown));
  }
}

/** Returns whether a value is the default of a field of a class. */
function isDefault(entity: unknown, field: string, value: unknown): boolean {
  return isEntity(entity) && Reflect.get(entity.defaults as object, field) === value && value !== undefined;
}
