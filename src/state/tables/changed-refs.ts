import { isRefOfKind } from './lookup.ts';
import { innerPlans } from './plan-parts.ts';
import type { Plan } from './plan.ts';

/** A record that has another pk now. */
export interface ChangedRecord {
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

const NO_PARTS: { readonly entrySchema?: unknown; readonly normalizesAs?: unknown } = {};

/** Returns the stored form of a value with the present pk of a record. Returns the same object if it does not refer to the record. */
export function withChangedRefs(
  plan: Plan,
  stored: unknown,
  record: ChangedRecord,
  planOf: (schema: unknown) => Plan,
): unknown {
  const inside = (inner: Plan | undefined, member: unknown): unknown =>
    inner === undefined ? member : withChangedRefs(inner, member, record, planOf);
  if (plan.kind === 'entity') return stored === record.from && plan.table.name === record.table ? record.to : stored;
  const { entrySchema, normalizesAs } = plan.kind === 'structure' ? plan.schema : NO_PARTS;
  if (normalizesAs !== undefined) return inside(planOf(normalizesAs), stored);
  if (typeof stored !== 'object' || stored === null) return stored;
  if (plan.kind === 'list')
    return withoutTwice(
      stored,
      mapped(stored, (item) => inside(plan.item, item)),
    );
  if (entrySchema !== undefined) {
    const entry = planOf(entrySchema);
    return mapped(stored, (member) => inside(entry, member));
  }
  const inner = new Map(innerPlans(plan, planOf));
  if (isRefOfKind(stored))
    return mapped(stored, (id, name) => (name === 'id' ? inside(inner.get(stored.schema), id) : id));
  return mapped(stored, (member, name) => inside(inner.get(name), member));
}

/** Returns a copy with other members; the object itself if they are the same. */
function mapped(stored: object, change: (member: unknown, name: string) => unknown): object {
  let copy: object | undefined;
  for (const [name, member] of Object.entries(stored)) {
    const changed = change(member, name);
    if (changed === member) continue;
    copy ??= Array.isArray(stored) ? [...(stored as readonly unknown[])] : { ...stored };
    Reflect.set(copy, name, changed);
  }
  return copy ?? stored;
}

/** Returns a changed list without the record, if the list had it under its present pk already. */
function withoutTwice(stored: object, changed: object): object {
  if (changed === stored || !Array.isArray(stored) || !Array.isArray(changed)) return changed;
  const refs = new Set(stored.map((ref) => JSON.stringify(ref)));
  return changed.filter((ref, at) => ref === stored[at] || !refs.has(JSON.stringify(ref)));
}
