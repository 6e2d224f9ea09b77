import { Ref, Temporary } from './placeholders.ts';

/** Whether two values of the model, or two plain values, are equal. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (one instanceof Temporary) return one.becomes !== undefined && isEqual(one.becomes, other);
  if (other instanceof Temporary) return other.becomes !== undefined && isEqual(one, other.becomes);
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (one instanceof Ref) return other instanceof Ref && one.table === other.table && one.pk === other.pk;
  if (one instanceof Date) return other instanceof Date && one.getTime() === other.getTime();
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  for (const name of names)
    if (!Object.hasOwn(other, name) || !isEqual((one as never)[name], (other as never)[name])) return false;
  return true;
}

/** Returns every ref in a value of the model. */
export function refsIn(value: unknown, found: Ref[] = []): Ref[] {
  if (value instanceof Ref) found.push(value);
  else if (Array.isArray(value)) for (const item of value) refsIn(item, found);
  else if (typeof value === 'object' && value !== null && !(value instanceof Date))
    for (const name in value) refsIn((value as never)[name], found);
  return found;
}

export function printed(value: unknown): string {
  if (typeof value === 'symbol' || typeof value === 'function') return String(value);
  if (value instanceof Ref) return `<${value.name}>`;
  const seen = new Set<unknown>();
  return (
    JSON.stringify(value, (_name, inner: unknown) => {
      if (typeof inner === 'symbol') return String(inner);
      if (inner instanceof Ref) return `<${inner.name}>`;
      if (inner instanceof Temporary) return `(${String(inner)}, ${inner.actual})`;
      if (inner === undefined) return '(undefined)';
      if (typeof inner === 'object' && inner !== null) {
        if (seen.has(inner)) return '(circle)';
        seen.add(inner);
      }
      return inner;
    }) ?? 'undefined'
  ).slice(0, 600);
}
