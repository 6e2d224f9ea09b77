import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Store } from '../../state/store/store.ts';
import { Entity } from './entity.ts';
import { EntityMixin } from './entity-mixin.ts';

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => undefined));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Two classes as minifiers make them from `Tag` and `Room` in two modules. */
const minified = (): [typeof Entity, typeof Entity] => [
  class t extends Entity {
    id = '';
    label = '';
  },
  class t extends Entity {
    id = '';
    floor = 0;
  },
];

function writeBoth([one, other]: readonly [typeof Entity, typeof Entity]): unknown {
  const store = new Store();
  store.write(one, { id: '1', label: 'new' });
  store.write(other, { id: '1', floor: 2 });
  return store.get(one, { id: '1' });
}

test('in production, the records of two classes with the same minified name are never one record', () => {
  vi.stubEnv('NODE_ENV', 'production');
  const [one, other] = minified();
  const store = new Store();
  store.write(one, { id: '1', label: 'new' });
  for (const write of [() => store.write(other, { id: '1', floor: 2 }), () => store.get(other, { id: '1' })])
    expect(write).toThrow(
      expect.objectContaining({
        code: 'key-minified',
        entity: 't',
        message: expect.stringContaining('Two classes with the name t have no static key. See '),
      }),
    );
  expect(store.get(one, { id: '1' })).toEqual({ id: '1', label: 'new' });
});

test('the same is true for a class that extends another one of the same name, and for classes of EntityMixin', () => {
  vi.stubEnv('NODE_ENV', 'production');
  const [one] = minified();
  const extended = class t extends one {};
  expect(() => writeBoth([one, extended])).toThrow(/^Two classes/);
  const mixed = (): typeof Entity => EntityMixin(class t {}, {});
  expect(() => writeBoth([mixed(), mixed()])).toThrow(/^Two classes/);
});

test('in production, two copies of a class without a static key count as two classes, because their fields do not tell what they are', () => {
  vi.stubEnv('NODE_ENV', 'production');
  const copy = (): typeof Entity =>
    class Tag extends Entity {
      id = '';
      name = '';
    };
  expect(() => writeBoth([copy(), copy()])).toThrow(/^Two classes with the name Tag/);
});

test('in production, classes with a static key of the same name share their records', () => {
  vi.stubEnv('NODE_ENV', 'production');
  const [one, other] = minified();
  Object.assign(one, { key: 't' });
  expect(writeBoth([one, other])).toMatchObject({ label: 'new', floor: 2 });
  expect(writeBoth([other, one])).toMatchObject({ floor: 2 });
});

test('in development, a class that is made again has the records of the former one', () => {
  vi.stubEnv('NODE_ENV', 'development');
  expect(writeBoth(minified())).toMatchObject({ label: 'new', floor: 2 });
});
