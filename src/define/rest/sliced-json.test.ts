import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseInSlices } from './sliced-json.ts';

/** A clock by which a slice has always ended, and the number of turns that other tasks had. */
function impatient() {
  const world = { turns: 0, time: 0 };
  const clock = {
    now: () => (world.time += 100),
    setTimeout: (run: () => void) => {
      world.turns++;
      queueMicrotask(run);
    },
  };
  return { world, clock };
}

/** The value that a parser returns, or the class of the error that it throws. */
const outcome = async (parse: () => unknown): Promise<unknown> => {
  try {
    return { value: await parse() };
  } catch (error) {
    return (error as Error).constructor;
  }
};

const expectAlike = async (text: string, pieceLength: number): Promise<void> => {
  const { clock } = impatient();
  const sliced = await outcome(() => parseInSlices(text, { pieceLength, platform: clock }));
  expect(sliced).toEqual(await outcome(() => JSON.parse(text)));
};

test.each([
  '[]',
  ' [ ] ',
  '[[],{},[1,[2]]]',
  '[1,2,3]',
  '["],[","\\"],[\\\\"]',
  '{}',
  '{"results":[1,2,3],"next":null,"more":[{"a":[1]}],"nested":{"list":[1,2]}}',
  '{"a":[1],"a":[2,3]}',
  '{"__proto__":[1,2],"constructor":[3]}',
  '"a text that is longer than a piece"',
  '1234567890',
  'null',
])('%s is parsed as by JSON.parse', async (text) => {
  for (const pieceLength of [0, 1, 3, 100]) await expectAlike(text, pieceLength);
});

test.each([
  '',
  ' ',
  '[',
  '[1',
  '[1,',
  '[1,]',
  '[,1]',
  '[1,,2]',
  '[1 2]',
  '[1}',
  '{"a":[1}',
  '{"a":[1,]}',
  '{"a" [1]}',
  '{[1]:2}',
])('%s is refused with a SyntaxError', async (text) => {
  for (const pieceLength of [0, 1, 3]) {
    const { clock } = impatient();
    await expect(parseInSlices(text, { pieceLength, platform: clock })).rejects.toThrow(SyntaxError);
  }
});

test.each(['[1] 2', '[1]]', '{"a":[1]} x', '{"a":[1]}}', '["a', '{"a":[1],"b'])(
  '%s is refused, as by JSON.parse',
  async (text) => {
    for (const pieceLength of [0, 2]) await expectAlike(text, pieceLength);
  },
);

test('parseInSlices returns what JSON.parse returns, wherever a text is cut or broken', async () => {
  const texts = fc
    .tuple(fc.jsonValue({ maxDepth: 4 }), fc.nat(2))
    .map(([value, space]) => JSON.stringify(value, null, space));
  const broken = fc
    .tuple(texts, fc.nat(), fc.constantFrom('', ',', ']', '}', '[', '{', '"', '\\', '1', ' '))
    .map(([text, at, put]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + 1);
    });
  const property = fc.asyncProperty(fc.oneof(texts, broken), fc.nat(20), expectAlike);
  await expect(fc.assert(property, { numRuns: 3000 })).resolves.toBeUndefined();
});

test('parseInSlices lets other tasks run between the slices of a list, also of a list in an object', async () => {
  const list = Array.from({ length: 100 }, (_, id) => ({ id, tags: ['a', 'b'] }));
  for (const value of [list, { results: list, next: null }]) {
    const { world, clock } = impatient();
    expect(await parseInSlices(JSON.stringify(value), { pieceLength: 200, platform: clock })).toEqual(value);
    expect(world.turns).toBeGreaterThan(10);
  }
});

test('parseInSlices parses a short text at once', async () => {
  const { world, clock } = impatient();
  expect(await parseInSlices('[1,2,3]', { platform: clock })).toEqual([1, 2, 3]);
  expect(world.turns).toBe(0);
});

test('parseInSlices parses a long list without options', async () => {
  const list = Array.from({ length: 20_000 }, (_, id) => ({ id, title: `title ${id}` }));
  expect(await parseInSlices(JSON.stringify(list))).toEqual(list);
});
