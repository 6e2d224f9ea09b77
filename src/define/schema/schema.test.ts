import { describe, expect, it } from 'vitest';
import { keepsTheSchemaLaws } from '../../../tests/laws/schema-laws.ts';
import { Store } from '../../state/store/store.ts';
import { Entity } from './entity.ts';
import type { DenormalizeDelegate, NormalizeDelegate, QueryDelegate, Unvisit } from './delegate.ts';
import { INVALID, type Row } from './row.ts';
import type { SchemaSimple } from './schema.ts';

class Song extends Entity {
  id = '';
  name = '';
  static override key = 'Song';
}

/** A schema as an application may write it: songs in `{ at, song }` entries, read as a Map by place. */
class Playlist implements SchemaSimple {
  normalize(input: unknown, parent: unknown, _key: string | undefined, delegate: NormalizeDelegate): unknown {
    return (input as { at: number; song: unknown }[]).map(({ at, song }) => [
      at,
      delegate.visit(Song, song, parent, String(at)),
    ]);
  }
  denormalize(stored: unknown, delegate: DenormalizeDelegate): Record<number, Song> {
    const songs: Record<number, Song> = {};
    for (const [at, pk] of stored as [number, string][]) {
      const song = delegate.unvisit(Song, pk);
      if (song !== undefined && song !== INVALID) songs[at] = song as Song;
    }
    return songs;
  }
  queryKey(args: readonly unknown[], unvisit: Unvisit, _delegate: QueryDelegate): unknown {
    const first = unvisit(Song, args);
    return first === undefined ? undefined : [[1, first]];
  }
}

keepsTheSchemaLaws({
  schema: () => new Playlist(),
  response: () => [
    { at: 1, song: { id: 'a', name: 'A' } },
    { at: 2, song: { id: 'b', name: 'B' } },
  ],
  part: { entity: Song, pk: 'a', record: { id: 'a', name: 'A' } },
  withoutPart: { 2: { id: 'b', name: 'B' } },
  wrong: ['text', [{ at: 1, song: {} }], [null]],
});

describe('a schema of your own', () => {
  it('can be read if it has a queryKey', () => {
    const store = new Store();
    store.write(Song, { id: 'a' });
    expect(store.get(new Playlist(), 'a')).toEqual({ 1: store.get(Song, 'a') });
    expect(store.get(new Playlist(), 'b')).toBeUndefined();
  });

  it('gets its parent entity, its field and the arguments', () => {
    const seen: unknown[] = [];
    class Seen extends Playlist {
      override normalize(
        input: unknown,
        parent: unknown,
        key: string | undefined,
        delegate: NormalizeDelegate,
        parentEntity?: unknown,
      ): unknown {
        seen.push((parent as { id: string }).id, key, delegate.args, delegate.meta.issue > 0, parentEntity);
        return input;
      }
    }
    class Album extends Entity {
      id = '';
      static override schema = { songs: new Seen() };
    }
    new Store().write(Album, { id: '1', songs: [] }, { args: ['arg'] });
    expect(seen).toEqual(['1', 'songs', ['arg'], true, Album]);
  });

  it('can read rows, replace them and delete them', () => {
    const seen: (Row | typeof INVALID | undefined)[] = [];
    class Command extends Playlist {
      override normalize(_input: unknown, _parent: unknown, _key: unknown, delegate: NormalizeDelegate): unknown {
        seen.push(delegate.getEntity('Song', 'a'));
        delegate.setEntity(Song, 'a', { id: 'a', name: 'replaced' });
        seen.push(delegate.getEntity('Song', 'a'));
        delegate.invalidate(Song, 'b');
        seen.push(...[...delegate.getEntities('Song')].map(([, row]) => row));
        return 'done';
      }
    }
    const store = new Store();
    store.write([Song], [{ id: 'a', name: 'A' }, { id: 'b' }]);
    expect(store.write(new Command(), {})).toBe('done');
    expect(seen).toEqual([
      { id: 'a', name: 'A' },
      { id: 'a', name: 'replaced' },
      { id: 'a', name: 'replaced' },
      INVALID,
    ]);
  });
});
