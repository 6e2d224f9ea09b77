import { describe, expect, it } from 'vitest';
import { isLoaded } from '../../define/query/loaded-fields.ts';
import { Collection } from '../../define/schema/collection.ts';
import { Entity } from '../../define/schema/entity.ts';
import { hasMany } from '../query/has-many.ts';
import { through } from '../query/through.ts';
import { ancestors } from '../query/tree.ts';
import { Store } from './store.ts';
import { addGuess } from './layer.ts';

class User extends Entity {
  id = '';
  boss: User | undefined = undefined;
  static override key = 'User';
  static override schema: Record<string, unknown> = {};
}
User.schema = { boss: User };

class Post extends Entity {
  id = '';
  author: User | undefined = undefined;
  readers: User[] = [];
  static override key = 'Post';
  static override schema = { author: User, readers: [User] };
}

it('a listener is called for each new observer, until it unsubscribes', () => {
  const store = new Store();
  const missing: string[][] = [];
  const stop = store.onObserve(() => missing.push(store.missing(User)));
  store.write(Post, { id: '10', author: '1' }, { resultKey: 'GET /post' });
  store.get(Post, { id: '10' });
  const posts = store.query(Post, [{ id: '10' }]);
  expect(missing).toEqual([]);
  posts.subscribe(() => {});
  store.resultView('GET /post').subscribe(() => {});
  expect(missing).toEqual([['1'], ['1']]);
  stop();
  posts.subscribe(() => {});
  expect(missing).toHaveLength(2);
});

describe('records that are missing', () => {
  it('are those of which a query asks whether fields are stored', () => {
    const store = new Store();
    const view = store.query(isLoaded(User, 'boss'), [{ id: '1' }]);
    view.subscribe(() => {});
    expect(store.missing(User)).toEqual(['1']);
    store.write(User, { id: '1', boss: null });
    expect(view.current()).toBe(true);
    expect(store.missing(User)).toEqual([]);
  });

  it('are none to which an empty text or false refers in a tree or in a link', () => {
    class Folder extends Entity {
      id = '';
      parentId: string | boolean = '';
      folderIds: readonly (string | boolean)[] = [];
      static override key = 'Folder';
    }
    const above = ancestors(() => Folder, 'parentId');
    const linked = hasMany(
      () => Folder,
      through(() => Folder, 'parentId', 'folderIds'),
    );
    const store = new Store();
    store.write(
      [Folder],
      [
        { id: '1', parentId: '' },
        { id: '2', parentId: '1', folderIds: ['', false, '4'] },
        { id: '3', parentId: false },
      ],
    );
    for (const pk of ['2', '3']) store.query(above, [pk]).subscribe(() => {});
    store.query(linked, ['1']).subscribe(() => {});
    expect(store.get(above, '2')).toEqual([store.get(Folder, '1')]);
    expect(store.missing(Folder)).toEqual(['4']);
  });

  it('are those without a row that an observed value refers to, at any distance', () => {
    const store = new Store();
    store.write(
      [User],
      [
        { id: '1', boss: '2' },
        { id: '2', boss: '3' },
      ],
    );
    store.write(
      [Post],
      [
        { id: '10', author: '1', readers: ['4', '1'] },
        { id: '11', author: '5' },
      ],
    );
    expect(store.missing(User)).toEqual([]);
    const stop = store.query(Post, [{ id: '10' }]).subscribe(() => {});
    expect(store.missing(User).toSorted()).toEqual(['3', '4']);
    stop();
    expect(store.missing(User)).toEqual([]);
    expect(store.missing({ key: 'Nothing' })).toEqual([]);
  });

  it('are missing in lists and in results too', () => {
    const store = new Store();
    store.write(new Collection([Post]), [{ id: '10', author: '1' }], {
      args: [],
      resultKey: 'posts',
    });
    store.write([Post], [{ id: '11', readers: ['2', '2', '3'] }], { resultKey: 'some' });
    store.resultView('posts').subscribe(() => {});
    store.resultView('some').subscribe(() => {});
    expect(store.missing(User).toSorted()).toEqual(['1', '2', '3']);
    store.write(User, { id: '2' });
    expect(store.missing(User).toSorted()).toEqual(['1', '3']);
  });

  it('do not include deleted ones, nor those of a guess', () => {
    const store = new Store();
    store.write([Post], [{ id: '10', author: '1', readers: ['2'] }], { resultKey: 'posts' });
    store.resultView('posts').subscribe(() => {});
    store.invalidate(User, '1');
    const guess = addGuess(store, () => ({ schema: User, response: { id: '2' } }));
    expect(store.missing(User)).toEqual([]);
    guess.drop();
    expect(store.missing(User)).toEqual(['2']);
  });

  it('are found in cycles that are not observed, without an endless loop', () => {
    const store = new Store();
    store.write(
      [User],
      [
        { id: '1', boss: '2' },
        { id: '2', boss: '1' },
      ],
    );
    store.write([Post], [{ id: '10', author: '1', readers: ['3', '4'] }]);
    store.get(Post, { id: '10' });
    expect(store.missing(User)).toEqual([]);
  });
});
