import { expect, it } from 'vitest';
import { assignFields, reservedOf } from './fields.ts';

class Post {
  title = '';
  get shout(): string {
    return this.title.toUpperCase();
  }
  like(): string {
    return `${this.title} liked`;
  }
}

it('assignFields sets the fields of the class and new ones', () => {
  const post = assignFields(new Post(), { title: 'Hi', extra: 1 });
  expect(post).toEqual({ title: 'Hi', extra: 1 });
  expect(post).toBeInstanceOf(Post);
});

it('assignFields never puts data in place of a method or an accessor, of the class, of its parents or of objects', () => {
  class Sub extends Post {}
  const props: object = JSON.parse(
    '{"title":"Hi","like":"x","shout":"x","toString":"x","constructor":"x","hasOwnProperty":"x","valueOf":1}',
  );
  const post = assignFields(new Sub(), props);
  expect(Object.keys(post)).toEqual(['title']);
  expect(post.like()).toBe('Hi liked');
  expect(post.shout).toBe('HI');
  expect(`${post}`).toBe('[object Object]');
  expect(post.constructor).toBe(Sub);
});

it('assignFields does not touch the prototype', () => {
  const post = assignFields(new Post(), JSON.parse('{"__proto__":{"title":"x","polluted":true}}') as object);
  expect(Object.getPrototypeOf(post)).toBe(Post.prototype);
  expect('polluted' in post).toBe(false);
});

it('assignFields may set what a prototype has as plain writable data', () => {
  const prototype = { color: 'red', fixed: 1 };
  Object.defineProperty(prototype, 'fixed', { writable: false });
  const made = assignFields(Object.create(prototype) as { color?: string }, { color: 'blue', fixed: 2 });
  expect(made.color).toBe('blue');
  expect(Object.keys(made)).toEqual(['color']);
});

it('assignFields works for objects without a prototype', () => {
  const bare = Object.create(null) as object;
  expect(Object.keys(assignFields(bare, JSON.parse('{"__proto__":{},"toString":1}') as object))).toEqual(['toString']);
  expect(reservedOf(null)).toBe(reservedOf(null));
});

it('assignFields leaves symbols out, because they could replace methods', () => {
  class Note {
    text = '';
  }
  const note = assignFields(new Note(), { text: 'a', [Symbol.toPrimitive]: 1 });
  expect(note.text).toBe('a');
  expect(Object.getOwnPropertySymbols(note)).toEqual([]);
});

it('assignFields leaves out fields that the props have inherited', () => {
  const props = Object.create({ title: 'of the prototype', extra: 1 }) as object;
  expect(assignFields(new Post(), props)).toEqual({ title: '' });
});
