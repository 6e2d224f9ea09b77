import { describe, expect, it } from 'vitest';
import { Collection, Entity, Invalidate, Store, Union, Values } from '../../index.ts';
import { addGuess } from '../store/layer.ts';

class Post extends Entity {
  id = '';
  kind = 'post';
  static override key = 'Post';
}
class Video extends Entity {
  id = '';
  kind = 'video';
  static override key = 'Video';
}
const gone = new Invalidate(Post);
const all = { args: [{}] };
const record = (id: string): { id: string; kind: string } => ({ id, kind: 'post' });
const ids = ['0', '1', '2', '3', '4'];

const kinds: readonly (readonly [string, Collection, (of: readonly string[]) => unknown])[] = [
  ['a list', new Collection([Post]), (of) => of.map(record)],
  [
    'a list of several kinds',
    new Collection([new Union({ post: Post, video: Video }, 'kind')]),
    (of) => of.map(record),
  ],
  ['a map', new Collection(new Values(Post)), (of) => Object.fromEntries(of.map((id) => [id, record(id)]))],
];

describe.each(kinds)('records that are deleted from %s in one batch', (_kind, posts, of) => {
  function filled(): { store: Store; read: () => string[]; rowOf: () => number } {
    const store = new Store();
    store.write(posts, of(ids), all);
    const read = (): string[] => Object.values(store.get(posts, {}) as Record<string, Post>).map(({ id }) => id);
    const rowOf = (): number => Object.keys(store.row(posts.key, '{}') as object).length;
    read();
    return { store, read, rowOf };
  }

  it('leave it at once, in one commit', () => {
    const { store, read, rowOf } = filled();
    const commits: (readonly string[])[] = [];
    store.onCommit(({ rows }) => commits.push(rows.map(({ table, pk }) => `${table} ${pk}`)));
    store.batch(() => {
      for (const id of ['1', '3', '0']) store.write(gone, { id });
    });
    expect(read()).toEqual(['2', '4']);
    expect(rowOf()).toBe(2);
    expect(commits).toEqual([['Post 1', 'Post 3', 'Post 0', `${posts.key} {}`]]);
  });

  it('are not in it in reads before the batch has ended', () => {
    const { store, read, rowOf } = filled();
    store.batch(() => {
      store.write(gone, { id: '1' });
      expect(rowOf()).toBe(4);
      store.write(gone, { id: '2' });
      expect(read()).toEqual(['0', '3', '4']);
      store.write([gone], [{ id: '3' }, { id: '4' }]);
      expect([...store.rows()].map(({ table, row }) => table === posts.key && Object.keys(row).length)).toContain(1);
    });
    expect(read()).toEqual(['0']);
  });

  it('do not return to it with a later answer of the batch', () => {
    const { store, read } = filled();
    store.batch(() => {
      store.write(gone, { id: '1' });
      store.write(Post, { id: '1' });
    });
    expect(store.get(Post, '1')).toBeDefined();
    expect(read()).toEqual(['0', '2', '3', '4']);
  });

  it('are in it if a later answer of the batch has them', () => {
    const { store, read } = filled();
    store.batch(() => {
      store.write([gone], [{ id: '1' }, { id: '2' }]);
      store.write(posts, of(['2', '3']), all);
    });
    expect(read()).toEqual(['2', '3']);
  });

  it('are in it still if their deletion was undone', () => {
    const { store, read, rowOf } = filled();
    const list = store.get(posts, {});
    store.batch(() => {
      expect(() =>
        store.batch(() => {
          store.write(gone, { id: '1' });
          store.write(gone, { id: '2' });
          rowOf();
          store.write(gone, { id: '3' });
          throw new Error('undo');
        }),
      ).toThrow('undo');
      expect(() => store.write([gone, Post], [{ id: '3' }, {}])).toThrow('schema');
      store.write(gone, { id: '4' });
    });
    expect(read()).toEqual(['0', '1', '2', '3']);
    expect(() =>
      store.batch(() => {
        store.write(gone, { id: '0' });
        throw new Error('undo');
      }),
    ).toThrow('undo');
    expect(read()).toEqual(['0', '1', '2', '3']);
    expect(store.get(posts, {})).not.toBe(list);
  });

  it('leave it under a guess too', () => {
    const { store, read } = filled();
    const layer = addGuess(store, () => ({ schema: posts, response: of(['0', '1', '2']), args: [{}] }));
    store.batch(() => {
      store.write(gone, { id: '1' });
      store.write(gone, { id: '4' });
    });
    layer.drop();
    expect(read()).toEqual(['0', '2', '3']);
  });
});
