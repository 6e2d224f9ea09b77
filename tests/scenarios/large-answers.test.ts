import { describe, expect, test } from 'vitest';
import { Controller, dehydrate, Endpoint, Entity, NetworkManager, Slices } from '../../src/index.ts';

class Author extends Entity {
  id = '';
  name = '';
  static override key = 'Author';
}

/** Classes of one table, new for each scene: one that does not declare authors, and one that does. */
function makeClasses() {
  class Flat extends Entity {
    id = '';
    author: unknown = undefined;
    static override key = 'Post';
  }
  class Joined extends Entity {
    id = '';
    author: Author | undefined = undefined;
    static override key = 'Post';
    static override schema = { author: Author };
  }
  return { Flat, Joined };
}

type Classes = ReturnType<typeof makeClasses>;

/** A store with large answers, which are stored when their slices have run. */
function scene(schemaOf = ({ Joined }: Classes): unknown => [Joined]) {
  const made = makeClasses();
  const { Flat, Joined } = made;
  const due: (() => void)[] = [];
  let time = 0;
  const clock = { now: () => time++, setTimeout: (run: () => void) => due.push(run) };
  const slices = new Slices({ above: 1, milliseconds: 1, platform: clock });
  const controller = new Controller({ managers: [new NetworkManager({ slices })] });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const slice = async (): Promise<void> => {
    due.shift()?.();
    await turn();
  };
  const get = new Endpoint(async (_answer: object) => _answer, {
    name: 'get',
    key: () => 'get',
    schema: schemaOf(made),
  });
  /** Fetches posts, and runs the first slices of the answer. */
  const begin = async (answer: object, count: number): Promise<void> => {
    controller.fetch(get, answer).catch(() => {});
    await turn();
    // oxlint-disable-next-line no-await-in-loop -- one slice after another
    for (let done = 0; done < count; done++) await slice();
  };
  const finish = async (): Promise<void> => {
    // oxlint-disable-next-line no-await-in-loop -- as above
    while (due.length > 0) await slice();
  };
  return { Flat, Joined, controller, store: controller.store, begin, finish };
}

const authored = (id: string): object => ({ id, author: { id: 'x', name: 'Ann' } });

describe('an answer that is stored in slices, with records in place of known pks', () => {
  const flatAuthor = ({ store, Flat }: { store: Controller['store'] } & Pick<Classes, 'Flat'>, id: string): unknown =>
    store.get(Flat, { id })?.author;

  function withPks() {
    const world = scene();
    world.store.write([world.Flat], [{ id: '1', author: 'x' }]);
    world.store.write(Author, { id: 'x', name: 'Ann' });
    expect(world.store.get(world.Joined, { id: '1' })?.author).toBe(world.store.get(Author, { id: 'x' }));
    expect(flatAuthor(world, '1')).toBe('x');
    return world;
  }

  test('has every class of the table read records there, and notifies observers', async () => {
    const world = withPks();
    const received: unknown[] = [];
    const watched = world.store.query(world.Flat, [{ id: '1' }]);
    watched.subscribe(() => received.push((watched.current() as InstanceType<Classes['Flat']>).author));
    await world.begin([authored('2'), authored('3')], 1);
    await world.finish();

    expect(flatAuthor(world, '2')).toBe(world.store.get(Author, { id: 'x' }));
    expect(flatAuthor(world, '1')).toBe(world.store.get(Author, { id: 'x' }));
    expect(received).toEqual([world.store.get(Author, { id: 'x' })]);
  });

  test('lets a write in between declare these records too', async () => {
    const world = withPks();
    await world.begin([authored('2'), authored('3')], 2);
    expect(flatAuthor(world, '1')).toBe('x');
    world.store.write(world.Joined, authored('4'));

    expect(flatAuthor(world, '4')).toBe(world.store.get(Author, { id: 'x' }));
    expect(dehydrate(world.store)).toMatchObject({ relations: [['Post', ['author']]] });
    await world.finish();
  });

  test('lets a later write declare these records when it is abandoned', async () => {
    const world = withPks();
    await world.begin([authored('2'), authored('3')], 2);
    await world.controller.resetEntireStore();
    await world.finish();
    world.store.write([world.Flat], [{ id: '1', author: 'x' }]);
    expect(flatAuthor(world, '1')).toBe('x');
    world.store.write(world.Joined, authored('4'));

    expect(flatAuthor(world, '1')).toBe(world.store.get(Author, { id: 'x' }));
  });
});

describe('an answer that is stored in slices, of a class with further relations', () => {
  test('finds the records that were nested in rows before', async () => {
    const { store, Flat, Joined, begin, finish } = scene();
    store.write([Flat], [authored('1')]);
    await begin([{ id: '2' }, { id: '3' }], 1);
    await finish();

    expect(store.get(Joined, { id: '1' })?.author).toBe(store.get(Author, { id: 'x' }));
    expect(store.get(Author, { id: 'x' })?.name).toBe('Ann');
  });
});

test('a class that is first used while an answer is stored in slices finds the records that are nested in the answer', async () => {
  const { store, Flat, Joined, begin, finish } = scene((made) => [made.Flat]);
  await begin([authored('1'), authored('2'), { id: '3' }], 2);
  expect(store.get(Joined, { id: '1' })).toBeUndefined();
  await finish();

  expect(store.get(Flat, { id: '3' })).toBeDefined();
  expect(store.get(Joined, { id: '1' })?.author).toBeInstanceOf(Author);
  expect(store.get(Joined, { id: '1' })?.author).toBe(store.get(Author, { id: 'x' }));
});
