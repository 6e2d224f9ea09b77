import { expect, test } from 'vitest';
import { ArraySchema } from '../../define/schema/array.ts';
import { Collection } from '../../define/schema/collection.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Lazy } from '../../define/schema/lazy.ts';
import { ObjectSchema } from '../../define/schema/object.ts';
import { Union } from '../../define/schema/union.ts';
import { Values } from '../../define/schema/values.ts';
import { belongsTo } from './belongs-to.ts';
import { hasMany } from './has-many.ts';
import { from } from './live-query.ts';
import { relationsOf, toMermaid } from './relations-of.ts';
import { through } from './through.ts';
import { ancestors } from './tree.ts';

class Person extends Entity {
  id = '';
  type = '';
  born = '';
  notes: readonly Note[] = [];
  static override key = 'Person';
  static teams = hasMany(
    () => Team,
    through(() => Note, 'id', 'title'),
  );
  static all = from(Person);
  static read = hasMany(() => Note, 'readers');
  static override schema = { notes: hasMany(() => Note, 'author'), born: (text: string) => new Date(text) };
}

class Team extends Entity {
  id = '';
  type = '';
  parentId = '';
  static override key = 'Team';
  static above = ancestors(() => Team, 'parentId');
  static same = hasMany(() => Note, { title: 'id', place: 'type' });
  static odd = hasMany(
    () => Note,
    ({ title }) => title,
  );
}

class Note extends Entity {
  id = '';
  title = '';
  place = '';
  author: Person | undefined = undefined;
  about: Person | Team | undefined = undefined;
  readers: readonly Person[] = [];
  watchers: readonly Person[] = [];
  static override key = 'Note';
  static override indexes = ['place', 'title', ['place', 'title']] as const;
  static team = belongsTo(() => Team, 'place');
  static other = belongsTo(
    () => Team,
    ({ title }: Note) => title,
  );
  static override schema = {
    author: Person,
    about: new Union({ person: Person, team: Team }, 'type'),
    readers: [Person],
    watchers: new ArraySchema(Person),
    origin: new ObjectSchema({ at: (text: string) => new Date(text) }),
  };
}

const MODEL = [Person, Team, Note];

test('relationsOf() returns the relations of a model as data, wherever they are declared', () => {
  expect(relationsOf(MODEL)).toEqual([
    { entity: 'Person', name: 'teams', to: ['Team'], isMany: true, isShared: true, by: 'Note' },
    { entity: 'Person', name: 'read', to: ['Note'], isMany: true, isShared: true, by: 'readers' },
    { entity: 'Person', name: 'notes', to: ['Note'], isMany: true, isShared: false, by: 'author' },
    { entity: 'Team', name: 'above', to: ['Team'], isMany: true, isShared: true, by: 'parentId' },
    { entity: 'Team', name: 'same', to: ['Note'], isMany: true, isShared: true, by: 'title and place' },
    { entity: 'Team', name: 'odd', to: ['Note'], isMany: true, isShared: true, by: 'a function' },
    { entity: 'Note', name: 'team', to: ['Team'], isMany: false, isShared: true, by: 'place' },
    { entity: 'Note', name: 'other', to: ['Team'], isMany: false, isShared: true, by: 'a function' },
    { entity: 'Note', name: 'author', to: ['Person'], isMany: false, isShared: true },
    { entity: 'Note', name: 'about', to: ['Person', 'Team'], isMany: false, isShared: true },
    { entity: 'Note', name: 'readers', to: ['Person'], isMany: true, isShared: true },
    { entity: 'Note', name: 'watchers', to: ['Person'], isMany: true, isShared: true },
  ]);
});

test('relations in collections, maps, nested objects and Lazy are found, too', () => {
  const tree: Record<string, unknown> = { root: Team };
  tree['below'] = tree;
  class Page extends Entity {
    id = '';
    static override key = 'Page';
    static override schema = {
      people: new Collection([Person]),
      places: new Values(Team),
      mixed: new Values({ person: Person, team: Team }, 'type'),
      nested: { lead: Person, deputies: [Person] },
      origin: new ObjectSchema({ by: Person }),
      lazy: new Lazy([Team]),
      later: new Lazy(hasMany(() => Note, 'author')),
      best: new Lazy(belongsTo(() => Team, 'id')),
      tree,
    };
  }
  const relation = { entity: 'Page', isMany: true, isShared: true };
  expect(relationsOf([Page])).toEqual([
    { ...relation, name: 'people', to: ['Person'] },
    { ...relation, name: 'places', to: ['Team'] },
    { ...relation, name: 'mixed', to: ['Person', 'Team'] },
    { ...relation, name: 'nested', to: ['Person'] },
    { ...relation, name: 'origin', to: ['Person'], isMany: false },
    { ...relation, name: 'lazy', to: ['Team'] },
    { ...relation, name: 'later', to: ['Note'], isShared: false, by: 'author' },
    { ...relation, name: 'best', to: ['Team'], isMany: false, by: 'id' },
    { ...relation, name: 'tree', to: ['Team'], isMany: false },
  ]);
});

test('toMermaid() returns a model as a diagram', () => {
  expect(toMermaid(MODEL).split('\n').slice(0, 7)).toEqual([
    'erDiagram',
    '  Person',
    '  Team',
    '  Note',
    '  Person }o--o{ Team : teams',
    '  Person }o--o{ Note : read',
    '  Person ||--o{ Note : notes',
  ]);
});
