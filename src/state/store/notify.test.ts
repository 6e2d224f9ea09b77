import { afterEach, expect, it, vi } from 'vitest';
import { Todo } from '../../../tests/model.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Store } from './store.ts';

afterEach(() => vi.unstubAllGlobals());

function watched(pk: string): { readonly store: Store; readonly calls: () => number; readonly stop: () => void } {
  const store = new Store();
  store.write([Todo], [{ id: 'a', title: '1' }, { id: 'b', title: '1' }]); // prettier-ignore
  let calls = 0;
  const view = store.query(Todo, [pk]);
  const stop = view.subscribe(() => calls++);
  return { store, calls: () => calls, stop };
}

/** Subscribes a listener that unsubscribes and subscribes again in each call. */
function subscribedAgain(subscribe: (listener: () => void) => () => void): { readonly calls: number } {
  const again = { calls: 0 };
  const listener = (): void => {
    again.calls++;
    stop();
    stop = subscribe(listener);
  };
  let stop = subscribe(listener);
  return again;
}

it('a read during a batch hides no change from observers', () => {
  const { store, calls } = watched('a');
  store.batch(() => {
    store.write(Todo, { id: 'a', title: '2' });
    store.get(Todo, 'a');
    store.write(Todo, { id: 'b', title: '2' });
  });
  expect(calls()).toBe(1);
});

it('a batch with reads that restores the state notifies once: the value is equal, and another object', () => {
  const { store, calls } = watched('a');
  store.batch(() => {
    store.write(Todo, { id: 'a', title: '2' });
    store.get(Todo, 'a');
    store.write(Todo, { id: 'a', title: '1' });
    store.get(Todo, 'a');
  });
  expect(calls()).toBe(1);
  store.write(Todo, { id: 'a', title: '3' });
  expect(calls()).toBe(2);
});

it('a batch that fails after a read does not hide the next change', () => {
  const { store, calls } = watched('a');
  const fails = (): void =>
    store.batch(() => {
      store.write(Todo, { id: 'a', title: '2' });
      store.get(Todo, 'a');
      throw new Error('stop');
    });
  expect(fails).toThrow('stop');
  const before = calls();
  store.write(Todo, { id: 'a', title: '3' });
  expect(calls()).toBe(before + 1);
});

it('a listener that unsubscribes and subscribes again in its call is called once', () => {
  const store = new Store();
  store.write(Todo, { id: 'a' });
  const view = store.query(Todo, ['a']);
  const again = subscribedAgain((listener) => view.subscribe(listener));
  store.write(Todo, { id: 'a', title: '2' });
  expect(again.calls).toBe(1);
  store.write(Todo, { id: 'a', title: '3' });
  expect(again.calls).toBe(2);
});

it('a listener of commits that subscribes again in its call is called once', () => {
  const store = new Store();
  const again = subscribedAgain((listener) => store.onCommit(listener));
  store.write(Todo, { id: 'a' });
  expect(again.calls).toBe(1);
});

it('a listener of observers that subscribes again in its call is called once, also if another one throws', () => {
  const thrown: (() => void)[] = [];
  vi.stubGlobal('queueMicrotask', (run: () => void) => thrown.push(run));
  const store = new Store();
  store.onObserve(() => {
    throw new Error('wrong');
  });
  const again = subscribedAgain((listener) => store.onObserve(listener));
  const view = store.query(Todo, ['a']);
  const end = view.subscribe(() => {});
  expect(again.calls).toBe(1);
  expect(thrown).toHaveLength(1);
  expect(thrown[0]).toThrow('wrong');
  end();
});

it('a listener that another one has unsubscribed is not called any more', () => {
  const store = new Store();
  store.write(Todo, { id: 'a' });
  const view = store.query(Todo, ['a']);
  let calls = 0;
  let stop = (): void => {};
  view.subscribe(() => stop());
  stop = view.subscribe(() => calls++);
  store.write(Todo, { id: 'a', title: '2' });
  expect(calls).toBe(0);
});

it('a batch that changes a record, and then declares a field of it as a relation, notifies once', () => {
  class Author extends Entity {
    id = '';
  }
  class Note extends Entity {
    id = '';
    title = '';
    author: unknown = undefined;
  }
  class LinkedNote extends Note {
    static override key = 'Note';
    static override schema = { author: Author };
  }
  const store = new Store();
  store.write(Note, { id: 'a', title: '1', author: 'x' });
  store.write(LinkedNote, { id: 'b', author: 'x' });
  let calls = 0;
  store.query(Note, ['a']).subscribe(() => calls++);
  store.batch(() => {
    store.write(Note, { id: 'a', title: '2' });
    store.get(Note, 'a');
    store.write(LinkedNote, { id: 'b', author: { id: 'x' } });
  });
  expect(calls).toBe(1);
  expect(store.get(Note, 'a')).toMatchObject({ title: '2', author: store.get(Author, 'x') });
});
