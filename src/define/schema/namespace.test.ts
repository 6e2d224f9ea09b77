import { expect, it } from 'vitest';
import { Store } from '../../state/store/store.ts';
import { Entity } from './entity.ts';
import { EntityMixin } from './entity-mixin.ts';
import { schema } from './namespace.ts';

it('the namespace `schema` has the schema classes under their short names', () => {
  const names = 'All Array Collection Entity EntityMixin Invalidate Lazy Object Query Scalar Union Values unshift';
  expect(Object.keys(schema).toSorted().join(' ')).toBe(names);
  expect(schema.Entity).toBe(EntityMixin);
});

it('the namespace `schema` makes schemas that work together', () => {
  class Post extends Entity {
    id = '';
  }
  const store = new Store();
  const feed = new schema.Object({ posts: new schema.Array(Post) });
  expect(store.write(feed, { posts: [{ id: '1' }] })).toEqual({ posts: ['1'] });
});
