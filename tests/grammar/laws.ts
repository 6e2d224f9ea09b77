import {
  All,
  type Commit,
  Controller,
  dehydrate,
  Entity,
  ExpiryStatus,
  hydrate,
  INVALID,
  LiveQuery,
  Store,
} from 'rejoin';
import { sourceName } from '../../src/define/query/description.ts';
import type { Random } from '../oracle/random.ts';
import { alike, BrokenLaw, isAlike, isSame, Moment, type Outcome, outcomeOf, showOutcome } from './compare.ts';
import type { BoundRead } from './probes.ts';
import type { KeptState, World } from './world.ts';

/** The values that the last check read, which the next check compares with. */
export class Judge {
  readonly #world: World;
  readonly #rows = new Map<string, unknown>();
  #before = new Map<BoundRead, { readonly outcome: Outcome; readonly row: unknown }>();
  #revision = -1;
  #renewals = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Checks all laws that need no second store, with some of the reads or with all of them. */
  judge(random: Random | undefined): void {
    const world = this.#world;
    for (const watcher of [...world.watchers]) watcher.judge();
    world.hooks.quiet(() => {
      for (const state of world.states) judgeState(world, state);
      this.#judgeReads(random === undefined ? world.reads : world.reads.filter(() => random.chance(0.3)));
    });
    this.#judgeCommits(world.commits.splice(0));
  }

  #judgeReads(reads: readonly BoundRead[]): void {
    const world = this.#world;
    const [controller] = world.controllers as [Controller];
    const moment = new Moment();
    const read = new Map<BoundRead, { readonly outcome: Outcome; readonly row: unknown }>();
    const isQuiet = world.revision === this.#revision && world.renewals === this.#renewals;
    for (const each of reads) {
      const now = outcomeOf(() => each.of(controller));
      const again = outcomeOf(() => each.of(controller));
      if (!isSame(now, again)) throw new BrokenLaw('L3', `two reads of ${each.name} gave two values`);
      if (now.error === undefined) moment.visit(each.schema, now.value, each.name);
      const before = this.#before.get(each);
      if (isQuiet && before !== undefined && each.endpoint === undefined && !isSame(before.outcome, now))
        throw new BrokenLaw(
          'L3',
          `${each.name} is another object though nothing was written: ${showOutcome(before.outcome)}, ${showOutcome(now)}`,
        );
      if (before !== undefined && each.schema instanceof All) judgeOrder(world, each, before.outcome, now);
      const row = rowOf(world, now);
      if (before !== undefined && world.renewals === this.#renewals && row !== undefined && before.row === row)
        judgeIdentity(each, before.outcome, now, row);
      read.set(each, { outcome: now, row });
    }
    this.#before = read;
    this.#revision = world.revision;
    this.#renewals = world.renewals;
  }

  /** Commits contain every row that changes. */
  #judgeCommits(commits: readonly Commit[]): void {
    const name = (table: string, pk: string): string => `${table} ${pk}`;
    for (const { rows } of commits)
      for (const { table, pk, after } of rows)
        if (after === undefined) this.#rows.delete(name(table, pk));
        else this.#rows.set(name(table, pk), after);
    const left = new Set(this.#rows.keys());
    for (const { table, pk, row } of this.#world.store.rows()) {
      left.delete(name(table, pk));
      if (!alike(this.#rows.get(name(table, pk)), row, new Map()))
        throw new BrokenLaw('L2', `no commit has the row ${table} ${pk}`);
    }
    for (const each of left)
      if (this.#rows.get(each) !== INVALID) throw new BrokenLaw('L2', `no commit has the deletion of ${each}`);
  }
}

/**
 * A record that is built from the same row and the same parts is the same object. A part that is invalid is not shown, and may
 * be in a circle with the record, which changes as a whole: so only records that show all their parts are judged.
 */
function judgeIdentity(each: BoundRead, before: Outcome, now: Outcome, row: unknown): void {
  if (before.error !== undefined || now.error !== undefined || before.value === now.value) return;
  const [one, other] = [before.value, now.value];
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return;
  const isShown = (name: string): boolean => other[name as never] !== undefined;
  if (Object.entries(row as object).some(([name, stored]) => stored !== undefined && !isShown(name))) return;
  if (names.every((name) => Object.is(one[name as never], other[name as never])))
    throw new BrokenLaw('L3', `${each.name} is another object with the same parts: ${showOutcome(now)}`);
}

/**
 * Records of `All` that stay shown keep their order. A record of a create is where its guess was, also if it was deleted before. It
 * is not judged if something else showed the deleted record again, at its old place, before the create was answered.
 */
function judgeOrder(world: World, { name }: BoundRead, before: Outcome, now: Outcome): void {
  const changes = world.commits.flatMap(({ shown }) => shown);
  const shownAgain = new Set<string>();
  const unjudged = new Set<string>();
  for (const { shown: each } of world.commits) {
    for (const { table, pk, after } of each) {
      const served = `${table} ${world.store.pkOf(table, pk)}`;
      if (after === undefined && shownAgain.has(served)) unjudged.add(served);
    }
    for (const { table, pk, before: was } of each) if (was === INVALID) shownAgain.add(`${table} ${pk}`);
  }
  const left = changes.filter(({ after }) => after === undefined);
  const gone = new Set(left.map(({ table, pk }) => `${table} ${pk}`));
  const created = new Set(left.map(({ table, pk }) => `${table} ${world.store.pkOf(table, pk)}`));
  const deleted = changes.filter(({ after }) => after === INVALID).map(({ table, pk }) => `${table} ${pk}`);
  for (const each of deleted) if (created.has(each)) gone.add(each);
  const namesIn = (outcome: Outcome): readonly string[] => {
    const value: unknown = outcome.error === undefined ? outcome.value : undefined;
    const records = Array.isArray(value) ? (value as readonly Entity[]) : [];

    const pks = records.map((record) => {
      const { key } = record.constructor as typeof Entity;
      const [pk, served] = [String(record.pk()), world.store.pkOf(key, String(record.pk()))];
      // A guess leaves when its create is answered.
      return pk === served && gone.has(`${key} ${pk}`) ? '' : `${key} ${served}`;
    });
    return [...new Set(pks)].filter((pk) => pk !== '' && !unjudged.has(pk));
  };
  const [then, shown] = [namesIn(before), namesIn(now)];
  const [one, other] = [then.filter((pk) => shown.includes(pk)), shown.filter((pk) => then.includes(pk))];
  if (one.join() !== other.join())
    throw new BrokenLaw('L10', `${name} had ${one.join()} in this order, and now has ${other.join()}`);
}

/** The row from which a record was built. */
function rowOf(world: World, outcome: Outcome): unknown {
  const value = outcome.error === undefined ? outcome.value : undefined;
  if (!(value instanceof Entity)) return undefined;
  const { key } = value.constructor as typeof Entity;
  return world.store.row(key, String(value.pk()));
}

/** A state has the data of the time when it was taken, and always returns the same objects. */
export function judgeState(world: World, { state, present, given }: KeptState): void {
  world.hooks.quiet(() => {
    for (const [each, then] of present) {
      const now = outcomeOf(() => each.of(state));
      if (!isAlike(then, now))
        throw new BrokenLaw(
          'L6',
          `${each.name} was ${showOutcome(then)} when the state was taken; the state says ${showOutcome(now)}`,
        );
      const before = given.get(each);
      if (before !== undefined && !isSame(before, now))
        throw new BrokenLaw('L6', `a state gave two objects for ${each.name}: ${showOutcome(now)}`);
      given.set(each, now);
    }
  });
}

/** If one class of a table declares a relation, it applies to all other classes of the table. From here on, all classes are known. */
export function readEachOnce(world: World, reader: Controller = world.controllers[0] as Controller): void {
  world.hooks.quiet(() => {
    for (const each of world.reads) outcomeOf(() => each.of(reader));
  });
}

/** The cached values of a store must equal those of a new store with the same rows and results. */
export function judgeFresh(world: World): void {
  if (world.store.stats().layers > 0) return;
  const [controller] = world.controllers as [Controller];
  const store = new Store({ now: () => world.now });
  hydrate(store, JSON.parse(JSON.stringify(dehydrate(world.store))));
  const fresh = new Controller({ store, now: () => world.now });
  world.hooks.quiet(() => {
    readEachOnce(world, fresh);
    for (const each of world.reads) {
      // The new store does not get the relations, because of two classes with relations the one that was used later decides.
      if (each.name.includes('UserSummary')) continue;
      const cached = outcomeOf(() => each.of(controller));
      const again = outcomeOf(() => each.of(fresh));
      // A controller that knows more of a request than its stored results may read another value.
      const isOther = !isAlike(cached, again) && (each.endpoint === undefined || !isMarked(controller, each));
      if (isOther && again.error === undefined && again.value === undefined && isOfNoRows(world, each)) continue;
      if (isOther)
        throw new BrokenLaw(
          'L1',
          `${each.name} is ${showOutcome(cached)}; a fresh store with the same rows reads ${showOutcome(again)}`,
        );
    }
  });
}

/** Returns whether the table of a query has lost all its rows. A store that never had rows of it does not know the table. */
function isOfNoRows(world: World, { schema }: BoundRead): boolean {
  const source = schema instanceof LiveQuery ? sourceName(schema.description) : undefined;
  return source !== undefined && Array.from(world.store.rows()).every(({ table }) => table !== source);
}

/** Returns whether a controller knows more of a request than its stored results. */
function isMarked(controller: Controller, { endpoint, args }: BoundRead): boolean {
  const marked = outcomeOf(
    () =>
      controller.getError(endpoint as never, ...(args as never)) !== undefined ||
      controller.getResponse(endpoint as never, ...(args as never)).expiryStatus === ExpiryStatus.Invalid,
  );
  return marked.error === undefined && marked.value === true;
}

/** When no data is shown and all data has expired, a collection removes everything. */
export function judgeRest(world: World): void {
  world.dispose();
  world.states.length = 0;
  world.now += 10 ** 12;
  for (const collection of world.collections.splice(0)) Array.from(collection);
  for (let time = 0; time < 2; time++) Array.from((world.controllers[0] as Controller).collect());
  const { rows, results, queries, layers } = world.store.stats();
  if (rows + results + queries + layers > 0)
    throw new BrokenLaw(
      'L7',
      `after collection ${rows} rows, ${results} results, ${queries} queries, ${layers} layers are left`,
    );
}
