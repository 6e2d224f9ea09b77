import { describe, expect, it } from 'vitest';
import { keepsTheSchemaLaws } from '../../../tests/laws/schema-laws.ts';
import { Store } from '../../state/store/store.ts';
import { All } from './all.ts';
import { Entity } from './entity.ts';
import { INVALID } from './row.ts';
import { Union } from './union.ts';

class Image extends Entity {
  id = '';
  name = '';
  kind = 'image';
  static override key = 'Image';
}
class Video extends Entity {
  id = '';
  name = '';
  kind = 'video';
  static override key = 'Video';
}
const media = new Union({ image: Image, video: Video }, 'kind');

keepsTheSchemaLaws({
  schema: () => media,
  response: () => ({ id: '1', kind: 'video', name: 'a' }),
  part: { entity: Video, pk: '1', record: { id: '1', name: 'a' } },
  withoutPart: INVALID,
  wrong: [{ kind: 'video' }, { kind: 'image', id: [] }],
});

it('a Union stores the name of the class with the pk, so that one id of two classes is two records', () => {
  const store = new Store();
  expect(
    store.write(
      [media],
      [
        { id: '1', kind: 'video' },
        { id: '1', kind: 'image' },
      ],
    ),
  ).toEqual([
    { id: '1', schema: 'video' },
    { id: '1', schema: 'image' },
  ]);
  expect(store.stats().rows).toBe(2);
});

it('a Union accepts numbers as names of classes', () => {
  const schema = new Union({ 1: Image, 2: Video }, (record: { readonly type: number }) => record.type as 1 | 2);
  expect(new Store().write(schema, { id: '5', type: 2 })).toEqual({ id: '5', schema: '2' });
});

it('a Union keeps a record of an unknown class as it is', () => {
  const store = new Store();
  const input = { id: '1', kind: 'constructor' };
  const stored = store.write(media, input);
  expect(stored).toEqual(input);
  expect(store.read(media, stored)).toEqual(input);
  expect(store.write(media, 'text')).toBe('text');
});

it('a Union keeps a record as it is if its function returns no name of a class', () => {
  const union = new Union({ image: Image }, (record: { readonly about: string }) => record.about as 'image');
  const record = { id: '1', about: 'sound' };
  expect(new Store().write(union, record)).toEqual(record);
});

it('a Union takes a pk alone as a record, if a function finds its class by the parent', () => {
  class Mark extends Entity {
    id = '';
    on: Image | Video | undefined = undefined;
    static override key = 'Mark';
    static override schema = {
      on: new Union(
        { image: Image, video: Video },
        (_value: unknown, parent: { onType: 'image' | 'video' }) => parent.onType,
      ),
    };
  }
  const store = new Store();
  store.write(Mark, { id: '1', onType: 'video', on: 5 });
  store.write(Video, { id: '5', name: 'a' });
  expect(store.get(Mark, '1')?.on).toBe(store.get(Video, '5'));
  store.write(Mark, { id: '2', onType: 'sound', on: 5 });
  expect(store.get(Mark, '2')?.on).toBe(5);
});

it('a Union leaves a pk alone as it is, if the function needs a record', () => {
  const union = new Union({ image: Image, video: Video }, (record: Image | Video) =>
    'kind' in record ? 'image' : 'video',
  );
  const store = new Store();
  expect(store.write([union], ['5', { id: '6', kind: 'image' }])).toEqual(['5', { id: '6', schema: 'image' }]);
});

describe('a part of a record that does not tell its class', () => {
  class Shop extends Entity {
    id = '';
    code: { readonly text: string } = { text: '' };
    static override key = 'Shop';
    override pk(): string {
      return this.code.text;
    }
  }
  const any = new Union({ image: Image, video: Video, shop: Shop, other: [Image] }, 'kind' as never);

  it('is of the class that has a record with its pk', () => {
    const store = new Store();
    store.write(any, { id: '1', kind: 'video', name: 'a' });
    expect(store.write(any, { id: '1', name: 'b' })).toEqual({ id: '1', schema: 'video' });
    expect(store.get(Video, '1')).toMatchObject({ kind: 'video', name: 'b' });
  });

  it('is kept as it is if several classes have one, or none', () => {
    const store = new Store();
    store.write(
      [any],
      [
        { id: '1', kind: 'video' },
        { id: '1', kind: 'image' },
      ],
    );
    for (const id of ['1', '2']) expect(store.write(any, { id, name: 'b' })).toEqual({ id, name: 'b' });
  });
});

it('a Union without its second argument is an error', () => {
  const make = (attribute: unknown): unknown => new Union({ image: Image, video: Video }, attribute as 'kind');
  const message =
    'A Union of image, video needs the field that tells them apart, or a function, as its second argument.';
  for (const attribute of [undefined, '']) expect(() => make(attribute)).toThrow(message);
});

describe('a read by arguments', () => {
  it('finds the class that the arguments name', () => {
    const store = new Store();
    store.write(media, { id: '1', kind: 'image' });
    store.write(media, { id: '1', kind: 'video' });
    expect(store.get(media, { id: '1', kind: 'video' })).toBeInstanceOf(Video);
    expect(store.get(media, { id: '2', kind: 'video' })).toBeUndefined();
  });

  it('finds the record also if the function that tells classes apart expects a record', () => {
    const union = new Union(
      { image: Image },
      ({ about }: { readonly about: { readonly kind: 'image' } }) => about.kind,
    );
    const store = new Store();
    store.write(union, { id: '1', about: { kind: 'image' } });
    expect(store.get(union, { id: '1' })).toBeInstanceOf(Image);
  });

  it('finds the first class that has such a record if they name none', () => {
    const store = new Store();
    store.write(media, { id: '1', kind: 'video' });
    expect(store.get(media, { id: '1' })).toBeInstanceOf(Video);
    expect(store.get(media, { id: '1', kind: 'other' })).toBeInstanceOf(Video);
    expect(store.get(media, '1')).toBeInstanceOf(Video);
    expect(store.get(media, { id: '404' })).toBeUndefined();
  });
});

it('a Union stores no ref for a schema that stores nothing', () => {
  class Post extends Entity {
    id = '';
    static override key = 'Post';
  }
  class Unlisted extends All<typeof Post> {
    override normalize(...given: Parameters<All['normalize']>): never {
      super.normalize(...given);
      return undefined as never;
    }
  }
  const store = new Store();
  const union = new Union<Record<string, unknown>>({ all: new Unlisted(Post) }, (() => 'all') as never);
  expect(store.write(union, [{ id: '1' }])).toBeUndefined();
  expect(store.get(Post, '1')).toBeInstanceOf(Post);
});

it('a Union uses the class that a function returns for the arguments', () => {
  class Cat extends Entity {
    id = '';
    sort = 'cat';
    static override key = 'AskedCat';
  }
  class Dog extends Entity {
    id = '';
    sort = 'dog';
    static override key = 'AskedDog';
  }
  const pets = new Union({ cat: Cat, dog: Dog }, ({ sort }: { sort: 'cat' | 'dog' }) => sort);
  const store = new Store();
  store.write(
    [pets],
    [
      { id: '1', sort: 'cat' },
      { id: '1', sort: 'dog' },
    ],
  );
  expect(store.get(pets, { id: '1', sort: 'dog' })).toBe(store.get(Dog, '1'));
  expect(store.get(pets, { id: '1', sort: 'cat' })).toBe(store.get(Cat, '1'));
});

it('a Union is known as a union to the store, unlike a class that extends it and may read its members in another way', () => {
  class Own extends Union<{ image: typeof Image }> {}
  expect(media.composes).toBe('union');
  expect(new Own({ image: Image }, 'kind').composes).toBeUndefined();
});
