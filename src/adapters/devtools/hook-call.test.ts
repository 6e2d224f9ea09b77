import { describe, expect, test } from 'vitest';
import { hookCallIn } from './hook-call.ts';
import { valueChanges } from './value-changes.ts';

const chromium = `Error
    at Renders.rendering (http://localhost/renders.ts:42:14)
    at useAnswer (http://localhost/use-answer.ts:20:14)
    at useSuspense (http://localhost/use-suspense.ts:23:18)
    at usePosts (http://localhost/app.tsx:4:10)
    at PostList (http://localhost/app.tsx:9:16)
    at Object.react_stack_bottom_frame (http://localhost/react-dom.js:1:1)`;
const firefox = `rendering@http://localhost/renders.ts:42:14
useAnswer@http://localhost/use-answer.ts:20:14
usePrevious@http://localhost/use-dle.ts:60:1
useDLE@http://localhost/use-dle.ts:30:18
PostList@http://localhost/app.tsx:9:16
react_stack_bottom_frame@http://localhost/react-dom.js:1:1`;

describe('the place of a hook', () => {
  test('is its component, and the hooks of the application on the way', () => {
    expect(hookCallIn(chromium)).toEqual({ component: 'PostList', hook: 'usePosts › useSuspense' });
    expect(hookCallIn(firefox)).toEqual({ component: 'PostList', hook: 'useDLE' });
  });

  test('has no name where the component has none', () => {
    const arrow = chromium.replace('PostList (http://localhost/app.tsx:9:16)', 'http://localhost/app.tsx:9:16');
    expect(hookCallIn(arrow).component).toBe('a component without a name');
    expect(hookCallIn(chromium.replace(/\n.*PostList.*/, '')).component).toBe('a component without a name');
    expect(hookCallIn('').component).toBe('a component without a name');
  });
});

describe('the differences between two values', () => {
  test('name each field with its path, also in data without records', () => {
    expect(valueChanges({ page: { total: 1 } }, { page: { total: 2 } })).toEqual([
      { kind: 'field', path: 'page.total', field: 'total', before: '1', after: '2' },
    ]);
    expect(valueChanges(1, 2)).toEqual([{ kind: 'field', path: '', before: '1', after: '2' }]);
  });

  test('are at most twenty, and one for values that contain themselves', () => {
    const list = (text: string): object[] => Array.from({ length: 50 }, () => ({ text }));
    expect(valueChanges(list('a'), list('b'))).toHaveLength(20);
    const circle = (name: string): object => {
      const made: { name: string; self?: unknown } = { name };
      made.self = made;
      return made;
    };
    expect(valueChanges(circle('a'), circle('b'))).toHaveLength(1);
  });

  test('are none if the two are the same object', () => {
    const value = [{ id: '1' }];
    expect(valueChanges(value, value)).toEqual([]);
  });
});
