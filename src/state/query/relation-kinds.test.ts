import { afterEach, beforeEach, expect, expectTypeOf, test, vi } from 'vitest';
import { Entity } from '../../define/schema/entity.ts';
import { Lazy } from '../../define/schema/lazy.ts';
import { Union } from '../../define/schema/union.ts';
import { Store } from '../store/store.ts';
import { belongsTo } from './belongs-to.ts';
import { hasMany } from './has-many.ts';
import { from } from './live-query.ts';
import { relationsOf } from './relations-of.ts';
import { through } from './through.ts';

class User extends Entity {
  id = '';
  name = '';
  files: readonly string[] | undefined = undefined;
  static override key = 'User';
  static owned = hasMany(() => File, 'ownerId').where({ ownerType: 'user' });
  static marked = hasMany(
    () => User,
    through(() => Mark, 'by', 'about'),
  );
  static override schema = { files: new Lazy(hasMany(() => File, 'ownerId')) };
}

class Team extends Entity {
  id = '';
  name = '';
  static override key = 'Team';
  static marked = hasMany(
    () => Team,
    through(() => Mark, 'by', 'about'),
  );
}

/** Refers to its owner by two plain fields, as flat APIs do. */
class File extends Entity {
  id = '';
  ownerType = '';
  ownerId = '';
  static override key = 'File';
  static owner = belongsTo({ user: () => User, team: Team }, 'ownerType', 'ownerId');
}

class Shown extends Entity {
  id = '';
  ownerType = '';
  ownerId = '';
  owner: User | Team | undefined = undefined;
  static override key = 'Shown';
  static override schema = { owner: belongsTo({ user: User, team: Team }, 'ownerType', 'ownerId') };
}

class Mark extends Entity {
  id = '';
  by = '';
  about: (User | Team)[] = [];
  static override key = 'Mark';
  static override schema = {
    about: [new Union({ user: User, team: Team }, (value: object) => ('name' in value ? 'team' : 'user'))],
  };
}

const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
beforeEach(() => void log.mockClear());
afterEach(() => void log.mockClear());

test('a record belongs to one of several kinds, which a field names', () => {
  const store = new Store();
  store.write([User], [{ id: '1', name: 'Ann' }]);
  store.write([Team], [{ id: '1', name: 'Red' }]);
  store.write(
    [File],
    [
      { id: 'a', ownerType: 'user', ownerId: '1' },
      { id: 'b', ownerType: 'team', ownerId: 1 },
      { id: 'c', ownerType: 'none', ownerId: '1' },
    ],
  );
  const owners = from(File).with({ owner: File.owner });
  const names = (): unknown => (store.get(owners) as { owner?: { name: string } }[]).map(({ owner }) => owner?.name);
  expect(names()).toEqual(['Ann', 'Red', undefined]);
  store.write(File, { id: 'a', ownerType: 'team' });
  expect(names()).toEqual(['Red', 'Red', undefined]);
  store.write(Team, { id: '1', name: 'Blue' });
  expect(names()).toEqual(['Blue', 'Blue', undefined]);
  const [first, , third] = store.get(from(File)) as readonly File[];
  const owner = store.get(File.owner, first as File);
  expectTypeOf(owner).toEqualTypeOf<User | Team | undefined>();
  expect(owner).toBe(store.get(Team, '1'));
  expect(store.get(File.owner, third as File)).toBeUndefined();
  store.write(File, { id: 'c', ownerType: 'user' });
  expect((store.get(User.owned, '1') as readonly File[]).map(({ id }) => id)).toEqual(['c']);
  expect(relationsOf([File])).toEqual([
    { entity: 'File', name: 'owner', to: ['User', 'Team'], isMany: false, isShared: true, by: 'ownerId' },
  ]);
});

test('a relation to several kinds can be a field in a schema, and records that are nested there are stored', () => {
  const store = new Store();
  store.write(Shown, { id: 'a', ownerType: 'team', ownerId: '1', owner: { id: '1', name: 'Red' } });
  expect((store.get(Shown, 'a') as Shown).owner).toBe(store.get(Team, '1'));
  store.write(Shown, { id: 'b', ownerType: 'user', ownerId: '2' });
  expect((store.get(Shown, 'b') as Shown).owner).toBeUndefined();
});

test('a wrong argument of a relation to several kinds is an error that says what to pass', () => {
  const error =
    "belongsTo() of a query was given undefined. Pass the fields of the kind and of the pk: 'ownerType', 'ownerId'.";
  expect(() => belongsTo({ user: User }, 'ownerType', undefined as never)).toThrow(error);
  expect(() => belongsTo({ user: User }, (() => '1') as never, 'ownerId')).toThrow("'ownerType', 'ownerId'");
  expect(() => new Store().get(File.owner, 'a' as never)).toThrow('Pass the record that refers to it.');
  // @ts-expect-error -- The record has other fields.
  expect(new Store().get(File.owner, { id: '1' })).toBeUndefined();
});

test('links whose field refers to several kinds lead to the records of one kind', () => {
  const store = new Store();
  store.write(
    [Mark],
    [
      { id: 'm', by: 'x', about: [{ id: '1', name: 'Red' }, { id: '2' }] },
      { id: 'n', by: 'x', about: null },
    ],
  );
  expect((store.get(Team.marked, 'x') as readonly Team[]).map(({ id }) => id)).toEqual(['1']);
  expect((store.get(User.marked, 'x') as readonly User[]).map(({ id }) => id)).toEqual(['2']);
});

test('a relation in Lazy is read for the record, and is no part of it', () => {
  const store = new Store();
  store.write(User, { id: '1', files: [{ id: 'a' }] });
  const user = store.get(User, '1') as User;
  expect(user.files).toBeUndefined();
  const files = User.schema.files.query;
  expect((store.get(files, '1') as readonly File[]).map(({ id }) => id)).toEqual(['a']);
  expect(store.get(files, user)).toBe(store.get(files, '1'));
  store.write(File, { id: 'a', ownerType: 'user' });
  expect(store.get(User, '1')).toBe(user);
});

test('an async function in where(), or one that returns a method, is an error, and does not select every record', () => {
  const store = new Store();
  store.write([User], [{ id: '1' }]);
  const isAnn: (user: User) => unknown = async ({ name }) => name === 'Ann';
  expect(() => store.get(from(User).where(isAnn))).toThrow(
    'Pass a function that returns true or false at once, not a promise',
  );
  const isNamed: (user: User) => unknown = (user) => user.pk;
  expect(() => store.get(from(User).where(isNamed))).toThrow('not a promise or a method');
  expect(store.get(from(User).where((user) => user))).toHaveLength(1);
  expect(store.get(from(User).where(() => null))).toHaveLength(0);
});

test('warns of a relation by a field that its class does not have', () => {
  const store = new Store();
  store.write([File], [{ id: 'a' }]);
  const wrong = hasMany(File, 'owner' as 'ownerId');
  expect(store.get(wrong, '1')).toEqual([]);
  expect(log.mock.calls.map(String)).toEqual([
    'A relation finds File records by the field owner, which File does not have. Correct its name, or give it a default. See node_modules/rejoin/docs/errors.md#field-unknown.',
  ]);
});

test('warns of a record that is nested in a parent without the field that joins the two', () => {
  class Folder extends Entity {
    id = '';
    static override key = 'Folder';
  }
  class Paper extends Entity {
    id = '';
    folderId: string | undefined = undefined;
    static override key = 'Paper';
    static override schema = {
      folder: belongsTo(Folder, 'folderId'),
      shown: belongsTo(Folder, (paper: Paper) => paper.id),
    };
  }
  const store = new Store();
  store.write(Paper, { id: '1', folderId: 'f', folder: { id: 'f' } });
  store.write(Paper, { id: '1', folder: { id: 'f' }, shown: { id: '1' } });
  expect(log).not.toHaveBeenCalled();
  store.write(Paper, { id: '2', folder: { id: 'f' } });
  expect(log.mock.calls.flat()).toEqual([
    'A Paper has a record as its folder, and no folderId, by which belongsTo() joins the two. Set folderId in process(). See node_modules/rejoin/docs/errors.md#field-unknown.',
  ]);
});

test('warns once of a large circle of records, with the kinds that are in it', () => {
  class Author extends Entity {
    id = '';
    books: Book[] = [];
    static override key = 'Author';
    static override schema: Record<string, unknown> = {};
  }
  class Book extends Entity {
    id = '';
    author: Author | undefined = undefined;
    static override key = 'Book';
    static override schema = { author: Author };
  }
  Author.schema = { books: [Book] };
  const store = new Store();
  const read = (): void => void store.get(Author, '1');
  store.write(Author, { id: '1', books: Array.from({ length: 1000 }, (_, at) => ({ id: `b${at}`, author: '1' })) });
  read();
  store.write(Book, { id: 'b1', author: null });
  read();
  expect(log.mock.calls).toHaveLength(1);
  expect(String(log.mock.lastCall)).toContain('rebuilds all of them: Author, Book.');
});

class Shelf extends Entity {
  id = '';
  books: readonly Book[] = [];
  static override key = 'Shelf';
  static override schema = {
    books: hasMany(
      () => Book,
      (book: Book) => book.place,
    ),
  };
}

class Book extends Entity {
  id = '';
  place = '';
  static override key = 'Book';
}

test('a record that is nested in a relation by a function is stored as it came', () => {
  const store = new Store();
  store.write(Shelf, { id: 's1', books: [{ id: 'b1', place: 's1' }] });
  expect(store.row('Book', 'b1')).toEqual({ id: 'b1', place: 's1' });
});
