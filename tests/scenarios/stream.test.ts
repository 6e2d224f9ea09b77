import { describe, expect, test } from 'vitest';
import { Collection, DataError, Store } from '../../src/index.ts';
import { respond } from './respond.ts';
import { Stream } from '../seed/stream.ts';

type Rec = Record<string, unknown>;

const getResponse = (): Rec => ({ title: 'Speedrun', game: 'Celeste', current_viewers: 1234, live: true });

/** Does the same as `process(value, args)` of the endpoint. */
function processStream(value: Rec, args: { username: string }): Rec {
  value['username'] = args.username;
  return value;
}

describe('Stream (primary key missing from response)', () => {
  test('the username of the path becomes the primary key', () => {
    const store = new Store();
    const args = { username: 'ann' };

    const stream = respond<Stream>(store, Stream, processStream(getResponse(), args), [args]);

    expect(stream).toBeInstanceOf(Stream);
    expect(stream.pk()).toBe('ann');
    expect(stream.title).toBe('Speedrun');
    expect(stream.live).toBe(true);
    expect(store.get(Stream, { username: 'ann' })).toBe(stream);
  });

  test('two responses for different usernames are two records', () => {
    const store = new Store();
    const ann = respond<Stream>(store, Stream, processStream(getResponse(), { username: 'ann' }));
    const bob = respond<Stream>(store, Stream, processStream(getResponse(), { username: 'bob' }));

    expect(ann).not.toBe(bob);
    expect(store.get(Stream, { username: 'ann' })).toBe(ann);
  });

  test('without the username nothing is stored, and the error names the entity', () => {
    const store = new Store();
    let thrown: unknown;
    try {
      store.write(Stream, getResponse(), { args: [{ username: 'ann' }] });
    } catch (error) {
      thrown = error;
    }

    expect(thrown).toBeInstanceOf(DataError);
    expect((thrown as DataError).entity).toBe('Stream');
    expect((thrown as DataError).message).toContain('title');
    expect(store.stats().rows).toBe(0);
  });

  test('a list in which one stream has no username is refused as a whole, and the former list stays', () => {
    const store = new Store();
    const streams = new Collection([Stream]);
    store.write(streams, [{ ...getResponse(), username: 'ann' }], { args: [] });
    const before = store.get(streams);

    expect(() => store.write(streams, [{ ...getResponse(), username: 'bob' }, getResponse()], { args: [] })).toThrow(
      DataError,
    );

    expect(store.get(streams)).toBe(before);
    expect(store.get(Stream, { username: 'bob' })).toBeUndefined();
  });
});
