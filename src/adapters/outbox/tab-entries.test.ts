import { describe, expect, test } from 'vitest';
import { EMPTY_QUEUE } from '../../../tests/outbox/empty-queue.ts';
import { TabEntries } from './tab-entries.ts';

describe('entries of other tabs', () => {
  test('stay confirmed while this tab asks about others', () => {
    let receive: (event: { readonly data: unknown }) => void = () => {};
    const entries = new TabEntries({
      port: { postMessage: () => {}, addEventListener: (_, listener) => (receive = listener), close: () => {} },
      read: () => Promise.resolve([]),
      onChange: () => {},
      queue: EMPTY_QUEUE,
    });
    entries.ask(['a', 'b']);
    receive({ data: { type: 'waiting', ids: ['a', 'b'] } });
    entries.ask(['b', 'c']);
    expect(['a', 'b', 'c'].map((id) => entries.areConfirmed([id]))).toEqual([true, false, false]);
  });
});
