import { Random } from '../../oracle/random.ts';
import { names, objects, records, values } from './payloads.ts';

export interface Payload {
  readonly name: string;
  /** Made again for each use, because an attack may change it. */
  readonly make: () => unknown;
  /** Whether a response could contain it. */
  readonly isJson?: boolean;
}

const parsed = (name: string, json: string): Payload => ({
  name,
  make: () => JSON.parse(json) as unknown,
  isJson: true,
});
const quoted = (text: string): string => JSON.stringify(text);

/** All listed inputs, each in every place where it could do damage. */
export function writtenPayloads(): readonly Payload[] {
  return [
    ...names.flatMap((name) => [
      parsed(`a field named ${name}`, `{"id":"1",${quoted(name)}:{"isAdmin":true}}`),
      parsed(`a method-like field named ${name}`, `{"id":"1",${quoted(name)}:"x"}`),
      parsed(
        `a pk ${name}`,
        `{"id":${quoted(name)},"owner":${quoted(name)},"list":[${quoted(name)}],"indexed":${quoted(name)}}`,
      ),
      parsed(`a name ${name} in a map`, `{"id":"1","map":{${quoted(name)}:{"id":${quoted(name)}}}}`),
      parsed(`a type ${name}`, `{"id":"1","any":{"type":${quoted(name)},"id":"2"}}`),
    ]),
    ...values.flatMap((json) => [
      parsed(`${json} in a field`, `{"id":"1","title":${json}}`),
      parsed(`${json} in plain data`, `{"id":"1","data":{"deep":[${json}]}}`),
    ]),
    ...records.flatMap((json) => [
      parsed(`${json} as a record`, json),
      parsed(`${json} as a nested record`, `{"id":"9","owner":${json}}`),
      parsed(`${json} in a list`, `{"id":"9","list":[{"id":"8"},${json}]}`),
    ]),
    ...Object.entries(objects).flatMap(([name, make]) => [
      { name, make },
      { name: `${name} as a nested record`, make: () => ({ id: '9', owner: make() }) },
      { name: `${name} in a list`, make: () => ({ id: '9', list: [{ id: '8' }, make()], bag: [make()] }) },
      { name: `${name} in plain data`, make: () => ({ id: '9', data: { deep: [make()] } }) },
      { name: `${name} where a function converts`, make: () => ({ id: '9', date: make(), decimal: make() }) },
    ]),
  ];
}

const FIELDS = ['owner', 'list', 'bag', 'map', 'any', 'box', 'date', 'decimal', 'title', 'data', 'indexed'] as const;

/** Random records that are combined from the listed inputs. */
export function generatedPayloads(seed: number, count: number): readonly Payload[] {
  return Array.from({ length: count }, (_, at) => ({
    name: `the generated payload of seed ${seed + at}`,
    make: () => drawHostile(new Random(seed + at), 3),
  }));
}

function drawHostile(random: Random, depth: number): unknown {
  if (depth === 0 || random.chance(0.15))
    return JSON.parse(random.pick(random.chance(0.5) ? values : records)) as unknown;
  if (random.chance(0.06)) return (objects[random.pick(Object.keys(objects).slice(0, -4))] as () => unknown)();
  const record: Record<string, unknown> = { id: random.chance(0.8) ? String(random.below(4)) : random.pick(names) };
  for (const field of FIELDS) if (random.chance(0.25)) record[field] = drawField(random, field, depth - 1);
  if (random.chance(0.4))
    Object.defineProperty(record, random.pick(names), {
      value: drawHostile(random, depth - 1),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return record;
}

function drawField(random: Random, field: (typeof FIELDS)[number], depth: number): unknown {
  if (random.chance(0.3)) return drawHostile(random, depth);
  const several = (): unknown[] => Array.from({ length: random.below(4) }, () => drawHostile(random, depth));
  if (field === 'list' || field === 'bag') return several();
  if (field === 'map') return Object.fromEntries(several().map((value) => [random.pick(names), value]));
  if (field === 'box') return { inner: drawHostile(random, depth) };
  return drawHostile(random, depth);
}
