import { expect, it } from 'vitest';
import { keepsTheSchemaLaws } from '../../../tests/laws/schema-laws.ts';
import { Store } from '../../state/store/store.ts';
import { Entity, isEntity } from './entity.ts';
import { EntityMixin } from './entity-mixin.ts';
import { INVALID } from './row.ts';

class Article {
  id = '';
  slug = '';
  name = '';
  votes = 0;
  shout(): string {
    return this.name.toUpperCase();
  }
}

keepsTheSchemaLaws({
  schema: () => [EntityMixin(Article, { key: 'Article' })],
  response: () => [{ id: '1', name: 'Hi' }],
  part: { entity: EntityMixin(Article, { key: 'Article' }), pk: '1', record: { id: '1', name: 'Hi' } },
  withoutPart: [],
  wrong: [[{}], [[]], [{ id: false }]],
});

it('EntityMixin makes an entity of any class, which keeps its fields and methods', () => {
  class Post extends EntityMixin(Article) {}
  const store = new Store();
  store.write(Post, { id: '1', name: 'Hi' });
  const post = store.get(Post, '1') as Post;
  expect(isEntity(Post)).toBe(true);
  expect(post).toBeInstanceOf(Post);
  expect(post.shout()).toBe('HI');
  expect(post.pk()).toBe('1');
});

it('EntityMixin takes the name of the base class as the key, and subclasses take their own names, unless a key is given', () => {
  class Post extends EntityMixin(Article) {}
  class Page extends EntityMixin(Article, { key: 'Sheet' }) {}
  expect(EntityMixin(Article).key).toBe('Article');
  expect(Post.key).toBe('Post');
  expect(Page.key).toBe('Sheet');
});

it('EntityMixin finds the pk in the given field', () => {
  class Post extends EntityMixin(Article, { pk: 'slug' }) {}
  class Poll extends EntityMixin(Article, { pk: 'votes' }) {}
  expect(Post.pk({ slug: 'hi' })).toBe('hi');
  expect(Poll.fromJS({ votes: 3 }).pk()).toBe('3');
});

it('EntityMixin finds the pk by a function of the record, its parent and its field', () => {
  const Post = EntityMixin(Article, { pk: (article, parent, key) => `${article.slug}/${String(parent)}/${key}` });
  expect(Post.pk({ slug: 'hi' }, 'p', 'k')).toBe('hi/p/k');
});

it('EntityMixin takes every static as an option', () => {
  const options = {
    schema: { votes: Number },
    indexes: ['slug'] as const,
    maxEntityDepth: 2,
    process: (input: object) => ({ ...input, processed: true }),
    merge: () => ({ merged: true }),
    validate: () => 'never',
  };
  const Post = EntityMixin(Article, options);
  const names = Object.keys(options);
  expect(Object.fromEntries(names.map((name) => [name, Reflect.get(Post, name)]))).toEqual(options);
});

it('EntityMixin shares the default hooks with Entity, so that they are recognized by identity', () => {
  class Post extends EntityMixin(Article) {}
  expect(Post.process).toBe(Entity.process);
  expect(Post.merge).toBe(Entity.merge);
  expect(Post.pk).toBe(Entity.pk);
  expect(Post.prototype.pk).toBe(Entity.prototype.pk);
});

it('EntityMixin keeps the members that the class already has', () => {
  class Stream {
    username = '';
    pk(): string {
      return this.username;
    }
    static readonly key = 'Live';
    static schema = { viewers: Number };
    static merge(): string {
      return 'merged';
    }
  }
  class Channel extends EntityMixin(Stream) {}
  expect(Channel.pk({ username: 'ann' })).toBe('ann');
  expect(Channel.key).toBe('Live');
  expect(Channel.schema).toBe(Stream.schema);
  expect(Channel.merge({}, {})).toBe('merged');
});

it('a record of a class by EntityMixin can be deleted and read like any other', () => {
  class Post extends EntityMixin(Article) {}
  const store = new Store();
  store.write(Post, { id: '1' });
  store.invalidate(Post, '1');
  expect(store.row('Post', '1')).toBe(INVALID);
  expect(Post.fromJS().votes).toBe(0);
  expect(Post.defaults).toBe(Post.defaults);
});
