type TypeName = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/** The part of JSON Schema that the API describes itself with. Requests are checked by it, and the tests check answers. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: TypeName | readonly TypeName[];
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean)[];
  readonly default?: unknown;
  readonly format?: 'date-time';
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
}

/** An error and its place: a JSON pointer in a fragment, as in RFC 9457. */
export interface Flaw {
  readonly pointer: string;
  readonly detail: string;
}

export type Named = Readonly<Record<string, JsonSchema>>;

const PREFIX = '#/components/schemas/';

export const refTo = (name: string): JsonSchema => ({ $ref: PREFIX + name });

/** Returns all errors of `value` by `schema`. `named` contains the targets of `$ref`s. */
export function check(schema: JsonSchema, value: unknown, named: Named, pointer = '#'): readonly Flaw[] {
  if (schema.$ref !== undefined) {
    const target = named[schema.$ref.slice(PREFIX.length)];
    if (target === undefined) throw new Error(`The schema ${schema.$ref} does not exist.`);
    return check(target, value, named, pointer);
  }
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => isOf(type, value)))
    return [{ pointer, detail: `must be ${types.map(withArticle).join(' or ')}` }];
  if (schema.enum !== undefined && !schema.enum.includes(value as string))
    return [{ pointer, detail: `must be one of ${schema.enum.join(', ')}` }];
  if (typeof value === 'string') return checkString(schema, value, pointer);
  if (typeof value === 'number') return checkNumber(schema, value, pointer);
  if (Array.isArray(value)) return checkArray(schema, value, named, pointer);
  if (typeof value === 'object' && value !== null) return checkObject(schema, value, named, pointer);
  return [];
}

function isOf(type: TypeName, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isSafeInteger(value);
    default:
      return typeof value === type;
  }
}

const withArticle = (type: TypeName): string =>
  type === 'null' ? 'null' : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`;

function checkString(schema: JsonSchema, value: string, pointer: string): readonly Flaw[] {
  const { minLength = 0, maxLength = Infinity, pattern, format } = schema;
  const { length } = value;
  if (value.trim().length < Math.min(1, minLength)) return [{ pointer, detail: 'must not be empty' }];
  if (length < minLength) return [{ pointer, detail: `must have at least ${minLength} characters` }];
  if (length > maxLength) return [{ pointer, detail: `must have at most ${maxLength} characters` }];
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
    return [
      { pointer, detail: schema.description === undefined ? `must match ${pattern}` : `must be ${schema.description}` },
    ];
  if (format === 'date-time' && !(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) && Number.isFinite(Date.parse(value))))
    return [{ pointer, detail: 'must be an instant such as 2026-01-31T12:00:00Z' }];
  return [];
}

function checkNumber(
  { minimum = -Infinity, maximum = Infinity }: JsonSchema,
  value: number,
  pointer: string,
): readonly Flaw[] {
  if (value < minimum) return [{ pointer, detail: `must be at least ${minimum}` }];
  if (value > maximum) return [{ pointer, detail: `must be at most ${maximum}` }];
  return [];
}

function checkArray(
  { items, maxItems = Infinity }: JsonSchema,
  value: readonly unknown[],
  named: Named,
  pointer: string,
): readonly Flaw[] {
  if (value.length > maxItems) return [{ pointer, detail: `must have at most ${maxItems} items` }];
  return items === undefined ? [] : value.flatMap((item, at) => check(items, item, named, `${pointer}/${at}`));
}

function checkObject(schema: JsonSchema, value: object, named: Named, pointer: string): readonly Flaw[] {
  const { properties = {}, required = [], minProperties = 0 } = schema;
  const entries = Object.entries(value);
  const at = (key: string): string => `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const flaws: Flaw[] = required
    .filter((key) => !Object.hasOwn(value, key))
    .map((key) => ({ pointer: at(key), detail: 'is required' }));
  if (entries.length < minProperties) flaws.push({ pointer, detail: 'must change something' });
  for (const [key, member] of entries) {
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (known !== undefined) flaws.push(...check(known, member, named, at(key)));
    else if (schema.additionalProperties === false) flaws.push({ pointer: at(key), detail: 'is not known here' });
  }
  return flaws;
}

/** Converts a query parameter to the type of its schema. A text that cannot be converted stays text, and fails the check. */
export function fromText(schema: JsonSchema, text: string): unknown {
  if (schema.type === 'integer' || schema.type === 'number')
    return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}
