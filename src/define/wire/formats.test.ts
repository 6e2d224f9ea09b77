import { describe, expect, test } from 'vitest';
import { platform as realPlatform } from '../../std/platform.ts';
import { RestEndpoint } from '../rest/rest-endpoint.ts';
import { resource } from '../rest/resource.ts';
import type { AnyWire } from '../rest/wire-shape.ts';
import { ArraySchema } from '../schema/array.ts';
import { Collection } from '../schema/collection.ts';
import { Entity } from '../schema/entity.ts';
import { Union } from '../schema/union.ts';
import { hal } from './hal.ts';
import { jsonApi } from './json-api.ts';
import { odata } from './odata.ts';
import { rails } from './rails.ts';
import { snakeCased } from './snake-cased.ts';

class Person extends Entity {
  id = '';
  fullName = '';
  static override key = 'Person';
}
class Task extends Entity {
  id = '';
  title = '';
  person?: Person;
  helpers: Person[] = [];
  parent?: Task;
  static override key = 'Task';
  static override schema: Record<string, unknown> = { person: Person, helpers: [Person] };
}
Task.schema = { ...Task.schema, parent: Task };

const body: object = {};
const path = '/tasks/:id';

/** A resource whose requests are all answered with one value, and what they sent. */
function made(wire: AnyWire, answer?: unknown, status = 200) {
  const sent: { url: string; body: unknown; headers: Headers }[] = [];
  const fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    sent.push({
      url: String(url),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body,
      headers: new Headers(init.headers),
    });
    const text = answer === undefined ? null : JSON.stringify(answer);
    const headers = { 'Content-Type': 'application/json' };
    return new Response(text, { status: answer === undefined ? 204 : status, headers });
  };
  const options = { urlPrefix: 'https://api.example', platform: { ...realPlatform, fetch }, wire };
  return { sent, options, tasks: resource({ ...options, path, schema: Task, body }) };
}
const sentBy = async (wire: AnyWire, fields: object): Promise<unknown> => {
  const { sent, tasks } = made(wire);
  await tasks.partialUpdate({ id: '1' }, fields);
  return sent[0]?.body;
};
const ann = Person.fromJS({ id: 'ann', fullName: 'Ann Lee' });

describe('snakeCased', () => {
  test('converts answers, bodies, search parameters and the fields of errors', async () => {
    const wire = snakeCased({ read: (answer) => answer as unknown });
    const { sent, tasks } = made(wire, { id: '1', due_on: null });
    expect(await tasks.get({ id: '1' })).toEqual({ id: '1', dueOn: null });
    await tasks.create({ perPage: 2 }, { dueOn: 'x' }).catch(() => undefined);
    expect(sent[1]).toMatchObject({ url: 'https://api.example/tasks?per_page=2', body: { due_on: 'x' } });
    const refusing = made(wire, { errors: { due_on: ['is past'] } }, 422).tasks;
    await expect(refusing.get({ id: '1' })).rejects.toMatchObject({ fieldErrors: { dueOn: ['is past'] } });
    const plain = made(wire, { message: 'No.' }, 422).tasks;
    await expect(plain.get({ id: '1' })).rejects.toMatchObject({ message: 'No.', fieldErrors: undefined });
  });

  test('converts the output of another wire', async () => {
    const wire = snakeCased(jsonApi('tasks'));
    const { sent, tasks } = made(wire, { data: { type: 'tasks', id: '1', attributes: { due_on: 'x' } } });
    expect(await tasks.partialUpdate({ id: '1' }, { dueOn: 'y' })).toEqual({ type: 'tasks', id: '1', dueOn: 'x' });
    expect(sent[0]?.body).toEqual({ data: { type: 'tasks', id: '1', attributes: { due_on: 'y' } } });
    await tasks.getList({ perPage: '1' }).catch(() => undefined);
    expect(sent[1]?.url).toBe('https://api.example/tasks?per_page=1');
  });
});

describe('snakeCased(hal())', () => {
  test('finds the links of fields with names of several words, and leaves the names of links as they are', async () => {
    const wire = snakeCased(hal({ many: 'my_tasks', links: { assignedTo: '/people', person: '/people' } }));
    const links = {
      assigned_to: { href: '/people/ann' },
      person: { href: '/people/bob' },
      'x:next_one': { href: '/tasks/2' },
    };
    const task = { id: '1', due_on: 'x', _links: links };
    const read = { id: '1', dueOn: 'x', assignedTo: 'ann', person: 'bob', _links: links };
    expect(await made(wire, task).tasks.get({ id: '1' })).toEqual(read);
    expect(await made(wire, { _embedded: { my_tasks: [task] } }).tasks.getList()).toEqual([read]);
    expect(await sentBy(wire, { assignedTo: 'ann', dueOn: 'x', _links: links })).toEqual({
      assigned_to: '/people/ann',
      due_on: 'x',
    });
  });
});

describe('snakeCased(jsonApi())', () => {
  class Note extends Entity {
    id = '';
    dueOn = '';
    repliesTo?: Note;
    static override key = 'Note';
    static override schema: Record<string, unknown> = {};
  }
  Note.schema = { repliesTo: Note };

  test('joins included records that refer to each other, also by a name of several words', async () => {
    const note = (id: string, other: string) => ({
      ...{ type: 'notes', id, attributes: { due_on: 'x' } },
      relationships: { replies_to: { data: { type: 'notes', id: other } } },
    });
    const wire = snakeCased(jsonApi('notes'));
    const { options } = made(wire, { data: note('1', '2'), included: [note('2', '1')] });
    const read = (await resource({ ...options, path, schema: Note }).get({ id: '1' })) as Note;
    expect(read.repliesTo).toMatchObject({ id: '2', dueOn: 'x' });
    expect(read.repliesTo?.repliesTo).toBe(read);
  });
});

describe('rails', () => {
  test('reads records with their root and without', async () => {
    const record = { id: '1', title: 'A' };
    expect(await made(rails('task'), { task: record }).tasks.get({ id: '1' })).toEqual(record);
    expect(await made(rails('task'), record).tasks.get({ id: '1' })).toEqual(record);
    expect(await made(rails('task'), { id: '1', task: record }).tasks.get({ id: '1' })).toEqual({
      id: '1',
      task: record,
    });
    expect(await made(rails('task'), [record]).tasks.getList()).toEqual([record]);
    expect(await made(rails('task'), null).tasks.get({ id: '1' })).toBe(null);
    const page = rails('task', { many: 'tasks', total: 'meta.total_count' });
    const list = { tasks: [record], meta: { total_count: 3 } };
    expect(await made(page, list).tasks.getList()).toEqual({ items: [record], total: 3 });
  });
});

describe('odata', () => {
  test('keeps the ETag beside the fields, and no other annotation', async () => {
    const answer = { '@odata.context': '$metadata#Tasks', '@odata.etag': 'W/"1"', id: '1', title: 'A' };
    const record = { '@odata.etag': 'W/"1"', id: '1', title: 'A' };
    expect(await made(odata(), answer).tasks.get({ id: '1' })).toEqual(record);
    expect(await made(odata(), answer).tasks.partialUpdate({ id: '1' }, {})).toEqual(record);
    expect(await made(odata(), { '@odata.context': 'x' }).tasks.partialUpdate({ id: '1' }, {})).toBe(null);
    expect(await made(odata(), { value: [record] }).tasks.getList()).toEqual([record]);
    const bare = new RestEndpoint({ ...made(odata(), 7).options, path: '/Tasks/$count', schema: undefined });
    expect(await bare()).toBe(7);
  });

  test('writes links as it does: numbers and GUIDs bare, anything else in quotes', async () => {
    const wire = odata({ bind: { person: 'People', helpers: 'People' } });
    const guid = '01234567-89ab-cdef-0123-456789abcdef';
    expect(await sentBy(wire, { title: 'B', person: ann, helpers: [7, guid, "O'Neil"] })).toEqual({
      title: 'B',
      'person@odata.bind': "People('ann')",
      'helpers@odata.bind': ['People(7)', `People(${guid})`, "People('O''Neil')"],
    });
    for (const id of ['7a', 'a7', '77', '01234567-89ab-cdef-0123-456789abcdeg', '0-89ab-cdef', guid.toUpperCase()]) {
      const isBare = id === '77' || id === guid.toUpperCase();
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect(await sentBy(wire, { person: id })).toEqual({ 'person@odata.bind': `People(${isBare ? id : `'${id}'`})` });
    }
    class Author extends Person {
      ID: number | string = 0;
      override pk() {
        return String(this.ID);
      }
    }
    class Book extends Task {
      static override schema = { person: Author };
    }
    const { sent, options } = made(odata({ write: { person: 'person_ID' } }));
    const books = resource({ ...options, path, schema: Book, body });
    class Copy extends Author {
      override pk() {
        return `copy-${this.ID}`;
      }
    }
    const copies = resource({
      ...options,
      path,
      schema: class extends Task {
        static override schema = { person: Copy };
      },
      body,
    });
    await copies.partialUpdate({ id: '1' }, { person: Copy.fromJS({ ID: 7 }) });
    expect(sent.splice(0).map(({ body: one }) => one)).toEqual([{ person_ID: 'copy-7' }]);
    for (const ID of [7, '7']) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await books.partialUpdate({ id: '1' }, { person: Author.fromJS({ ID }) });
    }
    expect(sent.map(({ body: one }) => one)).toEqual([{ person_ID: 7 }, { person_ID: '7' }]);
    expect(await sentBy(wire, { person: null, helpers: undefined })).toEqual({ 'person@odata.bind': null });
    expect(await sentBy(wire, { title: 'B' })).toEqual({ title: 'B' });
  });

  test('writes the links of each record of a list, under the names that fields have on the wire', async () => {
    const { sent, tasks } = made(odata({ bind: { person: 'People' }, names: { person: 'Person', title: 'Title' } }));
    await tasks.create([{ title: 'A', person: ann }, { title: 'B' }]);
    expect(sent[0]?.body).toEqual({ value: [{ Title: 'A', 'Person@odata.bind': "People('ann')" }, { Title: 'B' }] });
  });
});

describe('hal', () => {
  const wire = hal({ many: 'tasks', links: { person: '/people', helpers: '/people' } });

  test('makes fields of embedded records, at every depth, and pks of links', async () => {
    const links = {
      self: { href: 'https://api.example/tasks/1?x=1' },
      helpers: [{ href: '/people/bob/' }, { href: 5 }],
    };
    const own = { self: { href: '/people/ann' } };
    const person = { fullName: 'Ann', _links: own, _embedded: { tags: [{ id: 5 }, 'x'] } };
    const answer = { title: 'A', _links: links, _embedded: { person } };
    expect(await made(wire, answer).tasks.get({ id: '1' })).toEqual({
      id: '1',
      title: 'A',
      helpers: ['bob', undefined],
      person: { id: 'ann', fullName: 'Ann', tags: [{ id: 5 }, 'x'], _links: own },
      _links: links,
    });
  });

  test('leaves a field as it is if an answer has no link for it, and reads what it writes', async () => {
    const text =
      '{"title":"A","__proto__":{"a":1},"_links":{"person":{"href":"/people/c%20d"},"helpers":{"href":"/people/%"}}}';
    const task = await made(wire, JSON.parse(text)).tasks.get({ id: '1' });
    expect(task).toMatchObject({ person: 'c d', helpers: '%' });
    expect(Object.getPrototypeOf(task)).toBe(Object.prototype);
    expect(Object.keys(await made(wire, { title: 'B', _links: {} }).tasks.get({ id: '1' }))).toEqual([
      'title',
      '_links',
    ]);
  });

  test('has the records of a list under a name, or none', async () => {
    const list = (answer: unknown) => made(wire, answer).tasks.getList();
    expect(await list({ _embedded: { tasks: [{ id: '1' }] } })).toMatchObject([{ id: '1' }]);
    expect(await list({ _embedded: { tasks: { id: '1' } } })).toMatchObject([{ id: '1' }]);
    expect(await list({ _embedded: {} })).toEqual([]);
    expect(await list({ _links: {} })).toEqual([]);
    await expect(list({ _embedded: { items: [] } })).rejects.toThrow(
      "{ _embedded }. Expected { _embedded: { tasks: […] } }. Write hal({ many: 'items' }).",
    );
    await expect(list([])).rejects.toThrow('a list. Expected { _embedded: { tasks: […] } }. Is it a server of HAL?');
  });

  test('writes links as addresses, and nothing that it has read beside the fields', async () => {
    const fields = { title: 'B', person: ann, helpers: ['bob', 'c d'], _links: {}, _embedded: {} };
    expect(await sentBy(wire, fields)).toEqual({
      title: 'B',
      person: '/people/ann',
      helpers: ['/people/bob', '/people/c%20d'],
    });
    expect(await sentBy(wire, { person: null })).toEqual({ person: null });
    expect(await sentBy(hal({ many: 'tasks' }), { title: 'B' })).toEqual({ title: 'B' });
    const { sent, tasks } = made(hal({ many: 'tasks', links: { person: '/people' }, names: { person: 'owner' } }));
    await tasks.create([{ title: 'A', person: ann, _links: {} }, { title: 'B' }]);
    expect(sent[0]?.body).toEqual([{ title: 'A', owner: '/people/ann' }, { title: 'B' }]);
  });
});

describe('jsonApi', () => {
  const wire = jsonApi('tasks', { relations: { person: 'people', helpers: 'people' } });
  const of = (type: string, id: string, more: object = {}) => ({ type, id, ...more });

  test('replaces references by included records where the classes declare relations, and by pks elsewhere', async () => {
    const relationships = {
      person: { data: of('people', 'ann') },
      helpers: { data: [of('people', 'ann'), of('people', 'bob')] },
      parent: { data: null },
      watchers: { data: [of('people', 'ann')] },
      comments: { links: {} },
      editors: null,
    };
    const data = of('tasks', '1', { attributes: { title: 'A' }, relationships });
    const included = [of('people', 'ann', { attributes: { fullName: 'Ann' }, relationships: null })];
    const record = (await made(wire, { data, included }).tasks.get({ id: '1' })) as Task;
    const joined = { type: 'people', id: 'ann', fullName: 'Ann' };
    expect(record).toEqual({
      type: 'tasks',
      id: '1',
      title: 'A',
      person: joined,
      helpers: [joined, 'bob'],
      parent: null,
      watchers: ['ann'],
    });
    expect(record.helpers[0]).toBe(record.person);
  });

  test('includes records of several classes, alone and in lists, and keeps the type of others', async () => {
    class Bot extends Entity {
      id = '';
      label = '';
      static override key = 'Bot';
      static override schema = { owner: Person };
    }
    const owners = new Union({ people: Person, bots: Bot } as never, 'type' as never);
    class Board extends Entity {
      id = '';
      owner?: Person | Bot;
      members: (Person | Bot)[] = [];
      static override key = 'Board';
      static override schema = { owner: owners, members: [owners], all: new ArraySchema(owners) };
    }
    const links = [of('bots', '1'), of('people', 'bob'), of('tasks', '1')];
    const relationships = { owner: { data: of('bots', '1') }, members: { data: links }, all: { data: links } };
    const bot = of('bots', '1', {
      attributes: { label: 'B' },
      relationships: { owner: { data: of('people', 'ann') } },
    });
    const included = [bot, of('people', 'ann', { attributes: { fullName: 'Ann' } })];
    const { options } = made(wire, { data: of('boards', '1', { relationships }), included });
    const get = new RestEndpoint({ ...options, path: '/boards', schema: Board, wire: jsonApi('boards') });
    const joined = { ...of('bots', '1'), label: 'B', owner: { ...of('people', 'ann'), fullName: 'Ann' } };
    const all = [joined, of('people', 'bob'), '1'];
    expect(await get()).toEqual({ ...of('boards', '1'), owner: joined, members: all, all });
    const list = new RestEndpoint({
      ...made(wire, { data: [bot], included }).options,
      path: '/owners',
      schema: new Collection([owners]),
      wire: jsonApi('bots'),
    });
    expect(await list()).toEqual([joined]);
    expect(await list.push({ type: 'bots' } as never)).toEqual(joined);
    expect(await list.push([{ type: 'bots' }] as never)).toEqual([joined]);
  });

  test('includes records at any depth, and in cycles', async () => {
    const task = (at: number) =>
      of('tasks', String(at), { relationships: { parent: { data: of('tasks', String((at + 1) % 20_000)) } } });
    const included = Array.from({ length: 19_999 }, (_, at) => task(at + 1));
    const record = (await made(wire, { data: task(0), included }).tasks.get({ id: '0' })) as Task;
    let last: Task | undefined = record;
    for (let step = 0; step < 20_000; step++) last = last?.parent;
    expect(last).toBe(record);
  });

  test('reads lists, empty documents of mutations, and refuses other bodies', async () => {
    expect(await made(wire, { data: [of('tasks', '1')] }).tasks.getList()).toEqual([of('tasks', '1')]);
    expect(await made(wire, { data: null }).tasks.get({ id: '1' })).toBe(null);
    expect(await made(wire, { meta: {} }).tasks.partialUpdate({ id: '1' }, {})).toBe(null);
    await expect(made(wire, { ok: 1 }).tasks.get({ id: '1' })).rejects.toThrow(
      '{ ok }. Expected { data }, as JSON:API has it. For another form write wire: envelope().',
    );
    await expect(made(wire, { data: {} }).tasks.getList()).rejects.toThrow(
      '{ data }. Expected { data: […] }, as JSON:API has it.',
    );
    const untyped = new RestEndpoint({ ...made(wire, { data: of('a', '1') }).options, path: '/a', schema: undefined });
    expect(await untyped()).toEqual(of('a', '1'));
  });

  test('writes resource objects with their types', async () => {
    const { sent, tasks } = made(wire);
    await tasks.partialUpdate({ id: '1' }, { title: 'B', person: ann, helpers: ['bob'], parent: undefined });
    expect(sent[0]?.body).toEqual({
      data: {
        type: 'tasks',
        id: '1',
        attributes: { title: 'B' },
        relationships: { person: { data: of('people', 'ann') }, helpers: { data: [of('people', 'bob')] } },
      },
    });
    expect(sent[0]?.headers.get('content-type')).toBe('application/vnd.api+json');
    expect(sent[0]?.headers.get('accept')).toBe('application/vnd.api+json');
    await tasks.create([{ type: 'x', person: null, id: null }, { id: 5, person: undefined }, { id: '' }]);
    expect(sent[1]?.body).toEqual({
      data: [
        { type: 'tasks', attributes: {}, relationships: { person: { data: null } } },
        { type: 'tasks', id: '5', attributes: {} },
        { type: 'tasks', attributes: {} },
      ],
    });
  });

  test('writes nested search parameters, and lists with commas', async () => {
    const { sent, tasks } = made(wire, { data: [] });
    await tasks.getList({ include: ['a', 'b.c'], page: { size: 1 }, sort: '-title' } as never);
    expect(decodeURIComponent(sent[0]?.url ?? '')).toBe(
      'https://api.example/tasks?include=a,b.c&page[size]=1&sort=-title',
    );
    const due = new Date(0);
    await tasks.getList({ filter: { due: [due, undefined, due], by: due } } as never);
    const day = '1970-01-01T00:00:00.000Z';
    expect(decodeURIComponent(sent[1]?.url ?? '')).toBe(
      `https://api.example/tasks?filter[by]=${day}&filter[due]=${day},${day}`,
    );
  });
});
