import { expect, test } from 'vitest';
import { Comment, User } from '../../../tests/model.ts';
import { replaceTexts } from './texts-in-data.ts';

const upper = (text: string): string => text.toUpperCase();

test('replaces texts anywhere in plain data, in circles too, and keeps everything else', () => {
  const date = new Date(0);
  const circle: Record<string, unknown> = { a: 'x', list: ['y', 1, null, { b: 'z' }], date };
  circle['self'] = circle;
  const replaced = replaceTexts(circle, upper) as typeof circle;
  expect(replaced).toMatchObject({ a: 'X', list: ['Y', 1, null, { b: 'Z' }] });
  expect(replaced['self']).toBe(replaced);
  expect(replaced['date']).toBe(date);
  expect(circle['a']).toBe('x');
});

test('replaces the texts of a form, and keeps its files', () => {
  const form = new FormData();
  form.append('text', 'x');
  form.append('file', new Blob(['x']), 'a.txt');
  const replaced = [...(replaceTexts(form, upper) as FormData)];
  expect(replaced[0]).toEqual(['text', 'X']);
  expect(replaced[1]?.[1]).toHaveProperty('name', 'a.txt');
  expect(replaceTexts(form, (text) => text)).toBe(form);
});

test('returns the data itself if no text changes', () => {
  const data = { a: 'X', list: [1, 'Y'] };
  expect(replaceTexts(data, upper)).toBe(data);
});

test('does not change values that are nested deeper than a person writes by hand', () => {
  let deep: object = { id: 'x' };
  for (let level = 0; level < 50; level++) deep = { deep };
  expect(replaceTexts(deep, upper)).toBe(deep);
});

test('replaces texts in a field named __proto__, and leaves the prototype as it is', () => {
  const replaced = replaceTexts(JSON.parse('{"__proto__":{"a":"x"}}'), upper) as object;
  expect(Object.getPrototypeOf(replaced)).toBe(Object.prototype);
  expect(JSON.stringify(replaced)).toBe('{"__proto__":{"a":"X"}}');
});

test('copies a record whose texts change, with its class and its relations', () => {
  const commenter = User.fromJS({ id: 'a' });
  const comment = Comment.fromJS({ id: 'a', text: 'c', commenter });
  const [copy, text] = replaceTexts([comment, 'a'], (one) => (one === 'a' ? 'b' : one)) as [Comment, string];
  expect(copy).toBeInstanceOf(Comment);
  expect([copy.id, copy.text, text]).toEqual(['b', 'c', 'b']);
  expect(copy.commenter).toBe(commenter);
  expect(comment.id).toBe('a');
});
