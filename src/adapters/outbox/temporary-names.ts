import { isPlain } from '../../std/plain.ts';

/**
 * Temporary pks differ from one start of the application to the next. Kept entries have those of the start in which they were made; this
 * table translates them to those of this start, and back.
 */
export class TemporaryNames {
  readonly #own = new Map<string, unknown>();
  readonly #kept = new Map<string, unknown>();

  /** The record that a kept entry creates has another temporary pk in this start. */
  learn(kept: string, own: string): void {
    this.#own.set(kept, own);
    this.#kept.set(own, kept);
  }

  /** The record was created: `id` is what the server calls it. */
  settle(kept: string, id: unknown): void {
    const own = this.#own.get(kept);
    if (typeof own === 'string') this.#kept.set(own, id);
    this.#kept.set(kept, id);
    this.#own.delete(kept);
  }

  /** Kept arguments in the terms of this start. */
  own(args: readonly unknown[]): readonly unknown[] {
    return withReplaced(args, this.#own) as readonly unknown[];
  }

  /** Arguments of this start in the terms of kept entries. */
  kept(args: readonly unknown[]): readonly unknown[] {
    return withReplaced(args, this.#kept) as readonly unknown[];
  }

  clear(): void {
    this.#own.clear();
    this.#kept.clear();
  }
}

/** A copy of arguments in which some texts are replaced. The same value if none is in it. */
export function withReplaced(value: unknown, replaced: ReadonlyMap<string, unknown>): unknown {
  if (replaced.size === 0) return value;
  if (typeof value === 'string') return replaced.has(value) ? replaced.get(value) : value;
  const inside = (one: unknown): unknown => withReplaced(one, replaced);
  if (Array.isArray(value)) {
    const items = value.map(inside);
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (value instanceof FormData) return formWith(value, replaced);
  if (!isPlain(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, inside(member)] as const);
  return entries.some(([name, member]) => member !== Reflect.get(value, name)) ? Object.fromEntries(entries) : value;
}

function formWith(form: FormData, replaced: ReadonlyMap<string, unknown>): FormData {
  const fields = Array.from(form);
  if (!fields.some(([, value]) => typeof value === 'string' && replaced.has(value))) return form;
  const next = new FormData();
  for (const [name, value] of fields) {
    const field = withReplaced(value, replaced);
    if (field instanceof Blob) next.append(name, field);
    else next.append(name, String(field));
  }
  return next;
}

/** All texts in arguments. */
export function textsIn(value: unknown, found: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof value === 'string') found.add(value);
  else if (value instanceof FormData) for (const [, field] of value) textsIn(field, found);
  else if (isPlain(value)) for (const member of Object.values(value)) textsIn(member, found);
  return found;
}

/** Whether a text has the form of a temporary pk of any start. */
export function isTemporary(text: string): boolean {
  const [start, made, count, ...rest] = text.split(':');
  return start === 'temp' && made?.length === 21 && count !== undefined && count !== '' && rest.length === 0;
}
