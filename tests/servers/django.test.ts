import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Controller, Entity, NetworkManager, resource } from '../../src/index.ts';
import { envelope } from '../../src/wire.ts';
import { DjangoServer } from './django-server.ts';
import { type Listening, listening } from './listening.ts';

class Person extends Entity {
  id = 0;
  name = '';
  static override key = 'Person';
}
class Label extends Entity {
  id = 0;
  name = '';
  static override key = 'Label';
}
class Issue extends Entity {
  id = 0;
  title = '';
  assignee?: Person | null;
  labels: Label[] = [];
  static override key = 'Issue';
  static override schema = { assignee: Person, labels: [Label] };
}

let django: DjangoServer;
let server: Listening;
beforeEach(async () => {
  django = new DjangoServer();
  server = await listening((request, response) => django.answer(request, response));
});
afterEach(() => server.close());

interface Search {
  readonly labels?: number;
  readonly page?: number | string | undefined;
}
const searchParams: Search | undefined = {};

function tracker(slash: '/' | '' = '/') {
  let token = 'a';
  const api = {
    urlPrefix: server.url,
    optimistic: true,
    getHeaders: (headers: Record<string, string>) => ({ ...headers, Authorization: `Token ${token}` }),
  };
  const wire = envelope({ many: 'results', total: 'count', next: { field: 'next', param: 'page' } });
  const refresh = async (): Promise<void> => void (token = django.token);
  return {
    controller: new Controller({ managers: [new NetworkManager({ refresh })] }),
    people: resource({ ...api, path: '/people/:id/', schema: Person }),
    labels: resource({ ...api, path: '/labels/:id/', schema: Label }),
    issues: resource({
      ...api,
      path: `/issues/:id${slash}`,
      schema: Issue,
      searchParams,
      wire,
      list: { where: { labels: (issue) => issue.labels.map(({ id }) => id) } },
    }),
  };
}

describe('a server that answers as Django REST framework', () => {
  test('sends ids, which are joined, and pages that name the next page', async () => {
    const { controller, people, labels, issues } = tracker();
    await controller.fetch(people.getList);
    await controller.fetch(labels.getList);
    const { items, total, next } = await controller.fetch(issues.getList);
    expect(items.map(({ assignee, labels: of }) => [assignee?.name, ...of.map(({ name }) => name)])).toEqual([
      ['Ann', 'bug'],
      [undefined, 'docs'],
    ]);
    expect([total, next]).toEqual([3, '2']);
    const second = await controller.fetch(issues.getList, { page: next });
    expect([second.items[0]?.assignee?.name, second.next]).toEqual(['Bob', undefined]);
  });

  test('moves a record between lists by its labels, and answers a deletion with 204', async () => {
    const { controller, issues } = tracker();
    const list = issues.getList;
    await controller.fetch(list, { labels: 1 });
    await controller.fetch(list, { labels: 2 });
    const shown = (of: number) => {
      const { items, total } = controller.getResponse(list, { labels: of }).data;
      return [total, items?.map(({ id }) => id).join()];
    };
    const changed = controller.fetch(issues.partialUpdate, { id: 1 }, { labels: [2], assignee: null });
    expect([shown(1), shown(2)]).toEqual([
      [1, '3'],
      [2, '2,1'],
    ]);
    await changed;
    await controller.fetch(issues.delete, { id: 2 });
    expect(shown(2)).toEqual([1, '1']);
    expect(await new Controller().fetch(list, { labels: 2 })).toMatchObject({ items: [{ id: 1 }], total: 1 });
  });

  test('refuses a body with messages for its fields, and the guess is removed', async () => {
    const { controller, issues } = tracker();
    const first = await controller.fetch(issues.get, { id: 1 });
    const refused = controller.fetch(issues.partialUpdate, { id: 1 }, { title: '', labels: [9] });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      fieldErrors: { title: ['This field may not be blank.'], labels: ['Invalid pk "9" - object does not exist.'] },
    });
    expect(controller.get(Issue, { id: 1 })).toBe(first);
    await expect(controller.fetch(issues.get, { id: 9 })).rejects.toMatchObject({ message: 'Not found.', status: 404 });
  });

  test('gets one request for a new token', async () => {
    const { controller, issues } = tracker();
    django.token = 'b';
    await Promise.all([controller.fetch(issues.create, { title: 'New' }), controller.fetch(issues.get, { id: 1 })]);
    expect(server.asked().filter((asked) => asked === 'POST /issues/')).toHaveLength(2);
    expect(await controller.fetch(issues.get, { id: 4 })).toMatchObject({ title: 'New' });
  });

  test('redirects a path without its slash, and the error of a create says where to', async () => {
    const { controller, issues } = tracker('');
    await expect(controller.fetch(issues.create, { title: 'New' })).rejects.toThrow(
      `${server.url}/issues redirects a request with headers or a body to ${server.url}/issues/. Use that path, often with a slash`,
    );
  });
});
