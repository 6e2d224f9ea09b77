import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  Collection,
  Controller,
  Entity,
  from,
  getDefaultManagers,
  platform,
  resource,
  RestEndpoint,
} from '../../index.ts';
import { nextTurn } from '../../../tests/next-turn.ts';

class Tag extends Entity {
  id = '';
  static override key = 'Tag';
}

function reading() {
  const requests: string[] = [];
  const fetch = async (input: string | URL | Request): Promise<Response> => {
    requests.push(String(input));
    return Response.json([{ id: '1' }]);
  };
  const getTags = new RestEndpoint({ path: '/tags', schema: [Tag], platform: { ...platform, fetch } });
  return { controller: new Controller(), getTags, requests };
}

describe('reads of one request key at the same time', () => {
  test('send a request for each form of schema, and all have their answers', async () => {
    const { controller, getTags, requests } = reading();
    const getList = getTags.extend({ schema: new Collection([Tag]) });
    const [tags, list, alike] = await Promise.all([
      controller.fetch(getTags),
      controller.fetch(getList),
      controller.fetch(getList),
    ]);
    expect(requests).toHaveLength(2);
    expect(controller.get(getList.schema, {})).toBe(list);
    expect(alike).toBe(list);
    expect(tags[0]).toBe(list[0]);
    expect(controller.view(getTags).current()).toMatchObject({ status: 'fresh', value: tags });
  });

  test('share a request if their schemas have the same form', async () => {
    const { controller, getTags, requests } = reading();
    const others = getTags.extend({ schema: [Tag] });
    const [tags, same] = await Promise.all([controller.fetch(getTags), controller.fetch(others)]);
    expect(same).toBe(tags);
    expect(requests).toHaveLength(1);
  });

  test('send a request for each way to read the response, and each caller gets its own data', async () => {
    const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    onTestFinished(() => log.mockRestore());
    const { controller, getTags, requests } = reading();
    const getData = getTags.extend({ schema: undefined });
    const getCount = getData.extend({ process: (tags: object[]) => tags.length });
    const getText = getData.extend({ content: 'text' });
    const answers = [getData, getCount, getText, getCount].map((endpoint) => controller.fetch(endpoint));
    expect(await Promise.all(answers)).toEqual([[{ id: '1' }], 1, '[{"id":"1"}]', 1]);
    expect(requests).toHaveLength(4);
    expect(log.mock.calls.flat().map(String)).toEqual([
      expect.stringMatching(/^Endpoints with a different process share the request GET \/tags.*#request-shared\.$/),
      expect.stringContaining('a different process'),
    ]);
  });

  test('resolve to the record even if it is deleted when the first answer is shown', async () => {
    const { controller, getTags } = reading();
    const getTag = getTags.extend({ path: '/tag', schema: Tag, process: ([tag]: object[]) => tag as object });
    class Named extends Tag {
      name = '';
    }
    const both = [controller.fetch(getTag), controller.fetch(getTag.extend({ schema: Named }))];
    const stop = controller.watch(getTag, (answer) => {
      if ('value' in answer) controller.store.invalidate(Tag, '1');
    });
    expect(await Promise.all(both)).toEqual([{ id: '1' }, { id: '1' }]);
    stop();
  });
});

test('a fetch that shares the request of another one ends as soon as its own signal aborts, and the other goes on', async () => {
  const { controller, getTags, requests } = reading();
  const aborting = new AbortController();
  const other = controller.fetch(getTags);
  const aborted = controller.fetch(getTags.extend({ signal: aborting.signal }));
  aborting.abort();
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  expect(await other).toHaveLength(1);
  expect(requests).toHaveLength(1);
});

test('a read that waited for a create to be answered is sent once', async () => {
  const requests: string[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    requests.push(`${init?.method} ${String(input)}`);
    return Response.json({ id: '1' });
  };
  const tags = resource({ path: '/tags/:id', schema: Tag, optimistic: true, platform: { ...platform, fetch } });
  const controller = new Controller({ managers: getDefaultManagers() });
  onTestFinished(() => controller.dispose());
  const created = controller.fetch(tags.create, {});
  const id = controller.get(from(Tag).one())?.id ?? '';
  const stop = controller.watch(tags.get, { id }, () => {});
  await controller.fetch(tags.get, { id });
  await created;
  await nextTurn();
  stop();
  expect(requests).toEqual(['POST /tags', 'GET /tags/1']);
});
