import { expect, it } from 'vitest';
import { Trail } from './trail.ts';

it('a trail reads as the path to a value', () => {
  const trail = new Trail();
  expect(String(trail)).toBe('');
  expect(trail.last).toBeUndefined();
  trail.push(0);
  trail.replaceLast(3);
  trail.push('comments');
  trail.push(1);
  expect(String(trail)).toBe('[3].comments[1]');
  expect(trail.last).toBe(1);
  trail.pop();
  expect(String(trail)).toBe('[3].comments');
});

it('a trail starts with a field or with an index of a list', () => {
  const trail = new Trail();
  trail.push('author');
  expect(String(trail)).toBe('author');
});

it('a trail that was forked continues independently of the original', () => {
  const trail = new Trail();
  trail.push('a');
  const fork = trail.fork();
  trail.pop();
  fork.push('b');
  expect(String(fork)).toBe('a.b');
  expect(String(trail)).toBe('');
});

it('a trail of a very long path contains only the end of it', () => {
  let trail = new Trail();
  for (const step of ['a', 'b', 'c', 'd', 'e']) {
    trail.push(step);
    trail = trail.fork();
  }
  expect(String(trail)).toBe('….d.e');
});
