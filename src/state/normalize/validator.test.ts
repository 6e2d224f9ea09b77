import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Collection, type DataError, Entity, EntityMixin, Store } from '../../index.ts';
import { addGuess } from '../store/layer.ts';

class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
  static override validator = v.object({ id: v.string(), name: v.pipe(v.string(), v.minLength(2)) });
}

class Post extends Entity {
  id = '';
  title = '';
  likes = 0;
  author: User | undefined = undefined;
  static override key = 'Post';
  static override schema = { author: User };
  static override validator = z.object({
    id: z.coerce.string(),
    title: z.string().trim(),
    likes: z.number().default(0),
    author: z.unknown(),
  });
}
const posts = new Collection([Post]);

const good = { id: '1', title: 'Joins', author: { id: '7', name: 'Ann' } };

function refusal(run: () => unknown): DataError {
  try {
    run();
  } catch (error) {
    return error as DataError;
  }
  throw new Error('Nothing was refused.');
}

describe('a validator of an entity', () => {
  it('returns the record that is stored and read', () => {
    const store = new Store();
    store.write([Post], [{ ...good, id: 1, title: '  Joins ', extra: true }]);
    expect(store.row('Post', '1')).toEqual({ id: '1', title: 'Joins', likes: 0, author: '7' });
    expect(store.get(Post, '1')?.author?.name).toBe('Ann');
  });

  it('fails the write with the entity, the path and the rule, and nothing is stored', () => {
    const store = new Store();
    const error = refusal(() => store.write({ page: [Post] }, { page: [good, { ...good, id: '2', title: 5 }] }));
    expect(error).toMatchObject({ code: 'validation-failed', entity: 'Post', path: 'page[1].title' });
    expect(error.message).toContain('expected string, received number');
    expect(error.cause).toHaveLength(1);
    expect(store.stats().rows).toBe(0);
  });

  it('runs for nested records too', () => {
    const store = new Store();
    const error = refusal(() => store.write(posts, [{ ...good, author: { id: '7', name: 'A' } }], { args: [] }));
    expect(error).toMatchObject({ code: 'validation-failed', entity: 'User', path: '[0].author.name' });
    expect(error.message).toContain('Invalid length: Expected >=2 but received 1');
    expect(store.stats().rows).toBe(0);
  });

  it('checks the result of process, and not a deletion', () => {
    class Late extends User {
      static override key = 'Late';
      static override process(input: { id: string; first?: string }): unknown {
        return input.first === undefined ? undefined : { id: input.id, name: `${input.first} B` };
      }
    }
    const store = new Store();
    store.write(Late, { id: '1', first: 'A' });
    expect(store.get(Late, '1')?.name).toBe('A B');
    store.write(Late, { id: '1' });
    expect(store.get(Late, '1')).toBeUndefined();
  });

  it('that rejects the whole record names the path to it', () => {
    class Checked extends Entity {
      id = '';
      static override key = 'Checked';
      static override validator = z.object({ id: z.string() }).refine(() => false, 'odd');
    }
    const error = refusal(() => new Store().write([Checked], [{ id: '1' }]));
    expect(error).toMatchObject({ code: 'validation-failed', entity: 'Checked', path: '[0]' });
  });

  it('that throws, or returns no record, is an error of its own', () => {
    class Thrown extends Entity {
      id = '';
      static override key = 'Thrown';
      static override validator = v.pipe(
        v.object({ id: v.string() }),
        v.check(() => {
          throw new RangeError('inside');
        }),
      );
    }
    class Text extends Entity {
      id = '';
      static override key = 'Text';
      static override validator = z.object({ id: z.string() }).transform(({ id }) => id);
    }
    expect(refusal(() => new Store().write(Thrown, { id: '1' }))).toMatchObject({
      code: 'hook-failed',
      entity: 'Thrown',
      cause: new RangeError('inside'),
    });
    expect(refusal(() => new Store().write(Text, { id: '1' }))).toMatchObject({
      code: 'input-invalid',
      entity: 'Text',
      message: expect.stringContaining(
        'Text.process() or its validator returned a value of type string. Return the record to store, or undefined to delete it.',
      ),
    });
  });

  it('that is asynchronous is refused, with the cure in the error', async () => {
    const isTaken = async ({ id }: { id: string }): Promise<boolean> => id === '1';
    class Slow extends Entity {
      id = '';
      static override key = 'Slow';
      static override validator = z.object({ id: z.string() }).refine(isTaken);
    }
    class Slower extends Entity {
      id = '';
      static override key = 'Slower';
      static override validator = v.pipeAsync(v.object({ id: v.string() }), v.checkAsync(isTaken));
    }
    const store = new Store();
    for (const entity of [Slow, Slower])
      for (const id of ['1', '2']) {
        const error = refusal(() => store.write([entity], [{ id }]));
        expect(error).toMatchObject({ code: 'validator-async', entity: entity.key, path: '[0]' });
        expect(error.message).toContain('validate of the endpoint');
      }
    expect(store.stats().rows).toBe(0);
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('does not run for guesses, and runs for their answers', () => {
    const store = new Store();
    store.write(posts, [good], { args: [] });
    const layer = addGuess(store, () => ({ schema: posts.push, response: { title: 'New' }, args: [] }));
    expect(store.get(posts)?.map(({ title }) => title)).toEqual(['Joins', 'New']);
    expect(refusal(() => layer.confirm(posts.push, { id: '2' }, { args: [] }))).toMatchObject({
      code: 'validation-failed',
      path: 'title',
    });
    expect(store.get(posts)?.map(({ title }) => title)).toEqual(['Joins']);
  });

  it('keeps the object of a record that did not change', () => {
    const store = new Store();
    store.write(Post, good);
    const before = store.get(Post, '1');
    store.write(Post, good);
    expect(store.get(Post, '1')).toBe(before);
  });

  it('can be passed to a mixin', () => {
    class Plain {
      id = '';
    }
    const Mixed = EntityMixin(Plain, { key: 'Mixed', validator: z.object({ id: z.string() }) });
    expect(refusal(() => new Store().write(Mixed, { id: 5 }))).toMatchObject({ entity: 'Mixed', path: 'id' });
  });
});
