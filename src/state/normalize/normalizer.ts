import { idOf, renamedRecord, withTemporaryPk } from '../../define/schema/own-pk.ts';
import { inputInvalid, valuesOf } from '../../define/schema/input-invalid.ts';
import type { Choice, SchemaSimple } from '../../define/schema/schema.ts';
import type { NormalizeDelegate } from '../../define/schema/delegate.ts';
import type { Row } from '../../define/schema/row.ts';
import { copyPlain, isPlain, TooDeep } from '../../std/plain.ts';
import { type EntityPlan, type FieldPlan, type ListPlan, MAX_NESTING, type Plan } from '../tables/plan.ts';
import { hasNestedRecords } from '../tables/normalized.ts';
import type { Space } from '../tables/space.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import { WITHOUT_REF } from './same-fields.ts';
import { changeOwners, createdPkNow, pkNow, withPkNow } from './changed-input.ts';
import { buildRow } from './combine.ts';
import type { Creating, WriteInProgress } from './write-in-progress.ts';
import { HookRunner, asRecord, withEmptyLists, withoutLackingFields } from './entity-hooks.ts';
import { follow } from './follow.ts';
import { listName, withInputPath } from './input-errors.ts';
import { storeNew, NOT_NEW } from './new-rows.ts';
import { OpenInputs, type OpenRecord } from './open-inputs.ts';
import { refOf } from './ref.ts';
import { type RowSink, RowWriter } from './row-writer.ts';
import { Trail } from './trail.ts';
import { WriteDelegate } from './write-delegate.ts';

/** How deep the walk calls itself before it postpones the content of an entity. */
const MAX_RECURSION = 200;

const NO_REFS: readonly unknown[] = [];

/**
 * Normalizes one input: stores it row by row through the log of the write.
 *
 * The pk of a record is known before its nested records are visited. So in deep data, the parent can store the ref at once, while the
 * content of the record waits in a list. No depth of data overflows the call stack.
 */
export class Normalizer extends WriteDelegate implements NormalizeDelegate {
  readonly #writing: WriteInProgress;
  readonly #sink: RowSink;
  readonly #creating: Creating;
  readonly #hooks: HookRunner;
  readonly args: readonly unknown[];
  readonly #space: Space;
  #waiting: OpenRecord[] | undefined = undefined;
  #open: OpenInputs | undefined = undefined;
  #trail = new Trail();
  #depth = 0;
  /** How many structures are nested around the current one. Counted from 0 inside each entity. */
  #structures = 0;
  /** How many records are around the current value. */
  #records = 0;
  #isCreating = false;
  /** Whether the current value was sent, and not answered. */
  #isSent: boolean;
  /** Records that a mutation answered or a pending one changes, without those that the schema creates. They may be new on the server. */
  #mutated: Set<RowCell> | undefined = undefined;

  constructor(
    writing: WriteInProgress,
    space: Space,
    args: readonly unknown[],
    creating: Creating,
    sink: RowSink = new RowWriter(writing, space),
  ) {
    super(writing, space, sink);
    this.#writing = writing;
    this.#sink = sink;
    this.#space = space;
    this.args = args;
    this.#creating = creating;
    this.#isSent = creating.sent === undefined;
    this.#hooks = new HookRunner(args, writing, creating);
  }

  /** For a record that a guess or a sent body nests in another one. */
  get #nested(): Creating['nested'] {
    return this.#records > 0 && this.#isSent ? this.#creating.nested : undefined;
  }

  /** Returns whether each nested record of a guess or a sent body must be visited, also if nothing changes. */
  #isNesting({ refs }: EntityPlan): boolean {
    return this.#isSent && this.#creating.nested !== undefined && (this.#records > 0 || refs.length > 0);
  }

  /** Normalizes `input`. Returns its stored form. */
  run(schema: unknown, input: unknown): unknown {
    try {
      const stored = this.#step(this.#space.planOf(schema), input, input, undefined);
      this.finish();
      this.follow();
      return stored;
    } catch (error) {
      throw withInputPath(error, this.#hooks.running, this.#trail.toString());
    }
  }

  /** Stores the postponed records. Called last. */
  finish(): void {
    this.#records++;
    for (let next = this.#waiting?.pop(); next !== undefined; next = this.#waiting?.pop()) {
      this.#trail = next.trail;
      this.#store(next.plan, next.cell, next.processed);
      this.#open?.leave(next.cell, next.input, next.record);
    }
    this.#records--;
    this.#sink.finish();
  }

  visit(schema: unknown, value: unknown, parent: unknown, key: string | undefined, parentEntity?: unknown): unknown {
    const named = key !== undefined && key !== this.#trail.last;
    if (named) this.#trail.push(key);
    const stored = this.#step(this.#space.planOf(schema), value, parent, key, parentEntity);
    if (named) this.#trail.pop();
    return stored;
  }

  create(schema: unknown, value: unknown, parent: unknown, key: string | undefined): unknown {
    this.#isCreating = true;
    const stored = this.visit(schema, value, parent, key);
    this.#isCreating = false;
    return stored;
  }

  /** Updates lists after records were stored. */
  follow(): void {
    follow(this.#space, this.#writing.log, this, this.#mutated);
  }

  #step(plan: Plan, value: unknown, parent: unknown, key: string | undefined, parentEntity?: unknown): unknown {
    if (value === null || value === undefined) return value;
    switch (plan.kind) {
      case 'entity':
        return this.#entity(plan, value, parent, key);
      case 'list':
        return this.#list(plan, value, parent, key);
      case 'choice':
        return this.#choice(plan.choice, value, parent, key);
      case 'rows':
        return this.#rows(plan.schema, value, parent, key, parentEntity);
      case 'all':
      case 'structure':
        return this.#structure(plan.schema, value, parent, key, parentEntity);
      default:
        return copyPlain(value);
    }
  }

  #choice(choice: Choice, value: unknown, parent: unknown, key: string | undefined): unknown {
    const name = choice.nameOf(value, parent, key);
    if (name === undefined) return copyPlain(value);
    const id = this.#step(this.#space.planOf(choice.schemaOf(name)), value, parent, key);
    return id === undefined ? undefined : choice.ref(name, id);
  }

  #rows(
    schema: SchemaSimple,
    value: unknown,
    parent: unknown,
    key: string | undefined,
    parentEntity: unknown,
  ): unknown {
    if (++this.#depth > MAX_NESTING) throw new TooDeep();
    const stored = schema.normalize(value, parent, key, this, parentEntity);
    this.#depth--;
    return stored;
  }

  /** A schema may return objects of the caller. The outermost structure copies the whole result once. */
  #structure(
    schema: SchemaSimple,
    value: unknown,
    parent: unknown,
    key: string | undefined,
    parentEntity: unknown,
  ): unknown {
    const isOutermost = this.#structures === 0;
    this.#structures++;
    const stored = this.#rows(schema, value, parent, key, parentEntity);
    this.#structures--;
    return isOutermost ? copyPlain(stored) : stored;
  }

  #list(plan: ListPlan, input: unknown, parent: unknown, key: string | undefined): unknown {
    const isFirst = plan.item.kind === 'entity' && plan.item.table.isEmpty;
    const list = isFirst ? storeNew(plan, input, this.#writing) : NOT_NEW;
    if (list !== NOT_NEW) return list;
    if (++this.#depth > MAX_NESTING) throw new TooDeep();
    if (typeof input !== 'object' || input === null) throw inputInvalid('A list', input, listName(plan.item));
    const items: readonly unknown[] = Array.isArray(input)
      ? input
      : valuesOf(input, plan.item.kind === 'entity' ? plan.item.entity : undefined);
    // A copy to overwrite, because appending item by item would leave unused capacity in the array.
    const stored = items.slice();
    let count = 0;
    this.#trail.push(0);
    for (let at = 0; at < items.length; at++) {
      this.#trail.replaceLast(at);
      const ref = this.#step(plan.item, items[at], parent, key);
      if (ref !== undefined) stored[count++] = ref;
    }
    stored.length = count;
    this.#trail.pop();
    this.#depth--;
    return stored;
  }

  #entity(given: EntityPlan, input: unknown, parent: unknown, key: string | undefined): unknown {
    if (typeof input !== 'object' || input === null)
      return pkNow(given.table, refOf(given.entity.key, input), this.#writing);
    const plan = given.current;
    const isNew = this.#isCreating;
    this.#isCreating = false;
    const renewed = isNew || this.#isNesting(plan) ? undefined : this.#sink.renew?.(plan, input);
    if (renewed !== undefined) return renewed;
    const { hooks } = plan;
    let processed = hooks.isProcessing ? this.#hooks.process(plan, input, parent, key) : asRecord(plan.entity, input);
    if (processed === undefined) return this.#delete(plan, input, parent, key);
    let pk = this.#hooks.pk(plan, processed, parent, key, isNew);
    const isUnnamed = pk === undefined;
    if (pk === undefined) {
      pk = this.#hooks.temporaryPk(plan.entity.key, processed, isNew, this.#records > 0 ? input : undefined);
      if (pk === '') return undefined;
      processed = withTemporaryPk(plan.entity, processed, pk);
    }
    const now = (isNew ? createdPkNow : pkNow)(plan.table, pk, this.#writing);
    const cell = plan.table.cellOf(String(now));
    if (now !== pk) processed = withPkNow(plan, processed, this.getEntity(cell.table.name, cell.pk));
    else if (cell.pk !== pk)
      processed = renamedRecord(processed, pk, idOf(plan.entity, this.getEntity(cell.table.name, cell.pk), cell.pk));
    else if (isUnnamed && this.#writing.isGuess) processed = withEmptyLists(plan, processed);
    if (isNew || isUnnamed) this.#creating.created(cell, !isNew);
    else if (this.isOfMutation(cell.table.name, cell.pk)) (this.#mutated ??= new Set()).add(cell);
    const stored = hooks.process && !this.#writing.isWhole ? this.getEntity(cell.table.name, cell.pk) : undefined;
    if (isRow(stored)) processed = withoutLackingFields(plan, { processed, input, stored }, [parent, key, this.args]);
    if (hooks.validate) this.#hooks.validate(plan, processed, cell, this);
    this.#sink.touch(cell);
    if (plan.refs.length === 0) this.#store(plan, cell, processed);
    else {
      const record = isPlain(input) ? undefined : { input, plan, processed };
      this.#open ??= new OpenInputs();
      // A record at the top may be complete, so that the fields that it lacks are removed.
      if (record !== undefined && this.#records > 0 && this.#open.wasStored(cell, record)) return cell.pk;
      if (this.#open.isInside(cell, input)) return cell.pk;
      if (this.#depth >= MAX_RECURSION)
        (this.#waiting ??= []).push({ plan, cell, input, processed, record, trail: this.#trail.fork() });
      else {
        this.#store(plan, cell, processed);
        this.#open.leave(cell, input, record);
      }
    }
    return cell.pk;
  }

  /** Deletes the record in the input. Returns its pk, or `undefined` if it has none. */
  #delete(plan: EntityPlan, input: object, parent: unknown, key: string | undefined): string | undefined {
    const pk = this.#hooks.pk(plan, input, parent, key);
    if (pk === undefined) return undefined;
    this.invalidate(plan.entity, pk);
    return pk;
  }

  /** Stores the nested records and then the row itself. */
  #store(plan: EntityPlan, cell: RowCell, processed: Row): void {
    const stored = plan.refs.length === 0 ? NO_REFS : this.#storeNested(plan, processed);
    if (!this.#nested && this.#sink.isKnown(plan, cell, processed, stored)) return this.#sink.refresh(cell);
    const row = buildRow(plan, processed);
    for (let at = 0; at < stored.length; at++) {
      const { name } = plan.refs[at] as FieldPlan;
      // A field without a ref is left out, so that the default of the class shows.
      if (stored[at] === undefined) delete row[name];
      else if (stored[at] !== WITHOUT_REF) row[name] = stored[at];
    }
    if (plan.table.aliases.owners !== undefined) changeOwners(plan, row, this.#writing);
    if (this.#nested?.(plan, cell, row, this.#writing.log.confirmed(cell).row) === false) return;
    this.#sink.put(plan, cell, row, this.#records === 0);
  }

  /** Stores the nested records. Returns their refs in the order of the fields. */
  #storeNested({ entity, refs, table }: EntityPlan, processed: Row): readonly unknown[] {
    const stored = new Array<unknown>(refs.length);
    const structures = this.#structures;
    const isSent = this.#isSent;
    this.#structures = 0;
    this.#records++;
    this.#depth++;
    for (let at = 0; at < refs.length; at++) {
      const { name, plan, relation, isForeign, isInherited } = refs[at] as FieldPlan;
      const value: unknown = (processed as Record<string, unknown>)[name];
      stored[at] = WITHOUT_REF;
      if (value === undefined || value === null || (isInherited && !Object.hasOwn(processed, name))) continue;
      if (!relation.isNested && hasNestedRecords(value)) this.#writing.log.nest(relation, table.name);
      else if (isForeign && !hasNestedRecords(value)) {
        // This class does not declare the field, so its value is stored as it came.
        stored[at] = copyPlain(value);
        continue;
      }
      this.#trail.push(name);
      if (this.#creating.sent !== undefined) this.#isSent = isSent || this.#creating.sent.has(value);
      stored[at] = this.#step(plan, value, processed, name, entity);
      this.#trail.pop();
    }
    this.#depth--;
    this.#records--;
    this.#structures = structures;
    this.#isSent = isSent;
    return stored;
  }
}
