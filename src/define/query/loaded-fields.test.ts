import { expect, expectTypeOf, test } from 'vitest';
import { Store } from '../../state/store/store.ts';
import { Entity } from '../schema/entity.ts';
import { isLoaded } from './loaded-fields.ts';

class Post extends Entity {
  id = '';
  title = '';
  content: string | null = '';
  static override key = 'Post';
}

const hasContent = isLoaded(Post, 'content');

test('isLoaded distinguishes a field that no answer had from null and from the default of the class', () => {
  const store = new Store();
  expect(store.get(hasContent, { id: '1' })).toBeUndefined();
  store.write(
    [Post],
    [
      { id: '1', title: 'a' },
      { id: '2', content: null },
      { id: '3', content: '' },
    ],
  );
  const known = ['1', '2', '3', '4'].map((id) => store.get(hasContent, { id }));
  expect(known).toEqual([false, true, true, undefined]);
  expect(store.get(isLoaded(Post, 'content', 'title'), '2')).toBe(false);
  expectTypeOf(store.get(hasContent, { id: '1' })).toExtend<boolean | symbol | undefined>();
  // @ts-expect-error -- A post has no such field.
  isLoaded(Post, 'body');
});

test('isLoaded changes when a field is stored, and when the record is removed', () => {
  const store = new Store();
  store.write(Post, { id: '1' });
  const view = store.query(hasContent, [{ id: '1' }]);
  let notifications = 0;
  view.subscribe(() => notifications++);
  store.write(Post, { id: '1', title: 'b' });
  expect([view.current(), notifications]).toEqual([false, 0]);
  store.write(Post, { id: '1', content: '' });
  expect([view.current(), notifications]).toEqual([true, 1]);
  store.invalidate(Post, '1');
  expect(view.current()).toBeUndefined();
});
