import { Entity, Store } from '../../src/index.ts';
import { isEqual } from './equality.ts';
import { Random } from './random.ts';

class Part extends Entity {
  id = '';
  label: unknown = '';
  next: unknown = undefined;
  parts: unknown = [];
  data: unknown = undefined;
  static override key = 'Part';
  static override schema: Record<string, unknown> = {};
}
Part.schema = { next: Part, parts: [Part] };

interface Plain {
  readonly id: string;
  readonly label: number;
  readonly next: string | null;
  readonly parts: readonly string[];
  readonly data: { readonly deep: readonly number[] };
}

/** How many records there are. Each refers to a few records near it, some of them in circles. */
const RECORDS = 300;
const REACH = 6;

/**
 * Writes one record after another, some of them unchanged. After each write, exactly the readers of changed records must have been notified
 * and must have new objects. Returns the first fault, if there is one.
 */
export function runIdentity(seed: number, writes: number): string | undefined {
  const random = new Random(seed);
  const truth = new Map<string, Plain>();
  const store = new Store({ frozen: true });
  for (let at = 0; at < RECORDS; at++) truth.set(String(at), drawPlain(random, at));
  store.write([Part], [...truth.values()]);
  const calls = new Map<string, number>();
  const readers = [...truth.keys()].map((id) => {
    const live = store.query(Part, [{ id }]);
    const value = live.current();
    live.subscribe(() => calls.set(id, (calls.get(id) ?? 0) + 1));
    return { id, live, value };
  });

  for (let write = 0; write < writes; write++) {
    const now = nextVersion(random, truth);
    const changed = now.filter((plain) => !isEqual(plain, truth.get(plain.id)));
    for (const plain of now) truth.set(plain.id, plain);
    calls.clear();
    store.write([Part], structuredClone(now));
    const affected = holdersOf(
      truth,
      changed.map((plain) => plain.id),
    );
    for (const reader of readers) {
      const isAffected = affected.has(reader.id);
      const times = calls.get(reader.id) ?? 0;
      if (times !== (isAffected ? 1 : 0))
        return `write ${write}: the reader of ${reader.id} was notified ${times} times`;
      const value = reader.live.current();
      if ((value !== reader.value) !== isAffected)
        return `write ${write}: ${reader.id} is ${isAffected ? 'the same object although it changed' : 'another object although it did not change'}`;
      if (!Object.isFrozen(value) || !Object.isFrozen((value as Part).data))
        return `write ${write}: ${reader.id} is not frozen`;
      reader.value = value;
    }
  }
  return undefined;
}

function drawPlain(random: Random, at: number): Plain {
  const near = (): string => {
    // Most references lead to later records. A few lead back, which makes circles.
    const step = random.chance(0.08) ? -random.below(3) : 1 + random.below(REACH);
    return String(Math.min(RECORDS - 1, Math.max(0, at + step)));
  };
  const block = at - (at % 30);
  const within = (id: string): string => (Number(id) >= block + 30 ? String(at) : id);
  return {
    id: String(at),
    label: random.below(3),
    next: random.chance(0.5) ? within(near()) : null,
    parts: Array.from({ length: random.below(3) }, () => within(near())),
    data: { deep: [random.below(2)] },
  };
}

/** Returns a few records, each unchanged or with new values. */
function nextVersion(random: Random, truth: ReadonlyMap<string, Plain>): Plain[] {
  const ids = new Set(Array.from({ length: 1 + random.below(3) }, () => random.below(RECORDS)));
  return [...ids].map((at) => {
    const old = truth.get(String(at)) as Plain;
    if (random.chance(0.3)) return old;
    return random.chance(0.5) ? { ...old, label: random.below(3) } : drawPlain(random, at);
  });
}

/** Returns these records, and all records that contain them at any depth. */
function holdersOf(truth: ReadonlyMap<string, Plain>, ids: readonly string[]): ReadonlySet<string> {
  const affected = new Set(ids);
  for (let before = -1; before !== affected.size;) {
    before = affected.size;
    for (const { id, next, parts } of truth.values())
      if ((next !== null && affected.has(next)) || parts.some((part) => affected.has(part))) affected.add(id);
  }
  return affected;
}
