import halson from 'halson';
import jsonServer from 'json-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Controller, Entity, resource } from '../../src/index.ts';
import { hal } from '../../src/wire.ts';
import { type Listening, listening } from './listening.ts';

class Person extends Entity {
  id = '';
  name = '';
  static override key = 'Person';
}
class Task extends Entity {
  id = '';
  title = '';
  person?: Person;
  static override key = 'Task';
  static override schema = { person: Person };
}

interface Row {
  readonly id: number;
  readonly personId?: number;
  readonly person?: Row;
}

/** A record as a document of HAL, with its URL and links instead of ids. */
function documentOf({ id, person, personId, ...fields }: Row, path: string): object {
  const document = halson(fields).addLink('self', `/${path}/${id}`);
  if (personId !== undefined) document.addLink('person', `/people/${personId}{?projection}`);
  return person === undefined ? document : document.addEmbed('person', documentOf(person, 'people'));
}

let server: Listening;
beforeAll(async () => {
  // json-server stores records and answers requests, and halson writes the documents.
  const router = Object.assign(
    jsonServer.router({
      people: [
        { id: 1, name: 'Ann' },
        { id: 2, name: 'Bob' },
      ],
      tasks: [
        { id: 1, title: 'Write', personId: 1 },
        { id: 2, title: 'Test', personId: 2 },
      ],
    }),
    {
      render(_request: unknown, response: { locals: { data: Row | readonly Row[] }; json(body: object): void }) {
        const { data } = response.locals;
        const list = (rows: readonly Row[]) =>
          Object.assign(halson({ page: { totalElements: rows.length } }).addLink('self', '/tasks'), {
            ...(rows.length > 0 && { _embedded: { tasks: rows.map((row) => documentOf(row, 'tasks')) } }),
          });
        response.json(Array.isArray(data) ? list(data as readonly Row[]) : documentOf(data as Row, 'tasks'));
      },
    },
  );
  const app = jsonServer.create();
  app.use(jsonServer.defaults({ logger: false }));
  app.use(jsonServer.bodyParser);
  app.use(({ body }, _response, next) => {
    // Returns the records to which a body links.
    const { person } = Object(body) as { person?: string };
    if (person !== undefined)
      Object.assign(body as object, { person: undefined, personId: Number(person.split('/').at(-1)) });
    next();
  });
  app.use(router);
  server = await listening(app);
});
afterAll(() => server.close());

interface Search {
  readonly _expand?: 'person';
  readonly q?: string;
}
const searchParams: Search = {};
const tasksAt = (urlPrefix: string) =>
  resource({
    urlPrefix,
    path: '/tasks/:id',
    schema: Task,
    searchParams,
    wire: hal({ many: 'tasks', total: 'page.totalElements', links: { person: '/people' } }),
  });

describe('json-server with halson, a server of HAL', () => {
  test('sends pages with embedded records, and ids only in URLs', async () => {
    const controller = new Controller();
    const page = await controller.fetch(tasksAt(server.url).getList, { _expand: 'person' });
    expect(page.total).toBe(2);
    expect(page.items.map(({ id, title, person }) => [id, title, person?.name])).toEqual([
      ['1', 'Write', 'Ann'],
      ['2', 'Test', 'Bob'],
    ]);
  });

  test('sends an empty page, which embeds no records', async () => {
    const page = await new Controller().fetch(tasksAt(server.url).getList, { q: 'nothing has this' });
    expect(page).toEqual({ items: [], total: 0 });
  });

  test('sends links to records that are stored already, and accepts links', async () => {
    const { create, get, getList } = tasksAt(server.url);
    const controller = new Controller();
    await controller.fetch(getList, { _expand: 'person' });
    expect((await controller.fetch(get, { id: 1 })).person).toBe(controller.get(Person, { id: '1' }));
    const created = await controller.fetch(create, { title: 'New', person: '2' });
    expect(created.title).toBe('New');
    expect(created.person?.name).toBe('Bob');
    expect(await new Controller().fetch(getList, { q: 'New', _expand: 'person' })).toMatchObject({
      items: [{ title: 'New', person: { name: 'Bob' } }],
      total: 1,
    });
  });
});
