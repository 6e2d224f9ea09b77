import { describe, expect, test } from 'vitest';
import { Controller } from '../controller/controller.ts';
import { RestEndpoint } from '../../define/rest/rest-endpoint.ts';
import { resource } from '../../define/rest/resource.ts';
import { from } from '../../state/query/live-query.ts';
import { deferred } from '../../std/deferred.ts';
import { platform } from '../../std/platform.ts';
import type { Answer } from './answer.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Union } from '../../define/schema/union.ts';
import type { Loose } from '../../define/schema/infer-schema.ts';

class Post extends Entity {
  id = '';
  title = '';
  content = '';
  author?: string;
  static override key = 'Post';
}
const summary = { id: '1', title: 'Joins' };
const whole = { ...summary, content: 'All of it' };

/** A server of one post, which lists only what a list needs, and counts its requests. */
function scene(options: object = {}, schema: unknown = Post) {
  const asked: string[] = [];
  const fetch = async (url: string | URL | Request): Promise<Response> => {
    asked.push(String(url));
    const answer = String(url).includes('/posts/') ? whole : [summary];
    return Response.json(answer);
  };
  const shared = { platform: { ...platform, fetch }, urlPrefix: 'https://api.example' };
  const getPost = new RestEndpoint({ ...shared, path: '/posts/:id', schema: schema as typeof Post, ...options });
  const getPosts = new RestEndpoint({ ...shared, path: '/posts', schema: [Post] });
  return { asked, getPost, getPosts, controller: new Controller() };
}

describe('a record of a union that came with a list', () => {
  class Article extends Post {
    type = 'article';
    static override key = 'Article';
  }
  class Page extends Article {
    static override key = 'Page';
    static override needs = ['content'];
  }
  const kinds = new Union({ article: Article, page: Page }, 'type');
  const pages = resource({ path: '/pages/:id', schema: kinds });
  const withInclude = pages.get.extend({ searchParams: { include: '' } });

  test.each([
    [{ ...summary, type: 'article' }, 'stale'],
    [{ ...summary, type: 'page' }, 'missing'],
    [{ ...whole, type: 'page' }, 'fresh'],
  ])('is shown and fetched by the fields that its class has: %j is %s', async (record, status) => {
    const controller = new Controller();
    await controller.setResponse(pages.getList, [record]);
    expect(controller.view(pages.get, { id: '1' }).current().status).toBe(status);
    expect(controller.view(withInclude, { id: '1', include: 'author' }).current().status).toBe('missing');
  });
});

describe('a record that came with something else', () => {
  test('is shown and fetched when it lacks fields that have a default in its class', async () => {
    const { asked, controller, getPost, getPosts } = scene();
    await controller.fetch(getPosts);
    expect(controller.view(getPost, { id: '1' }).current()).toMatchObject({ status: 'stale', value: summary });
    expect(await controller.fetchIfStale(getPost, { id: '1' })).toMatchObject(whole);
    expect(controller.view(getPost, { id: '1' }).current()).toMatchObject({ status: 'fresh', value: whole });
    await controller.fetchIfStale(getPost, { id: 1 });
    expect(asked).toEqual(['https://api.example/posts', 'https://api.example/posts/1']);
  });

  test('answers the request when it has all these fields, also without fields that have no default', async () => {
    const { asked, controller, getPost } = scene();
    await controller.set(Post, { id: '1' }, whole);
    expect(controller.view(getPost, { id: '1' }).current()).toMatchObject({ status: 'fresh' });
    await controller.fetchIfStale(getPost, { id: 1 });
    expect(asked).toEqual([]);
  });

  test('answers the request after the missing fields were stored', async () => {
    const { controller, getPost, getPosts } = scene();
    await controller.fetch(getPosts);
    const received: string[] = [];
    const stop = controller.watch(getPost, { id: '1' }, ({ status }: { status: string }) => void received.push(status));
    await controller.set(Post, { id: '1' }, { id: '1', content: 'All of it' });
    stop();
    expect(received.at(-1)).toBe('fresh');
  });

  test('is missing when it lacks fields in `needs` of the class, or of the endpoint', async () => {
    class Needy extends Post {
      static override needs = ['content'];
    }
    const ofClass = scene({}, Needy);
    await ofClass.controller.set(Needy, { id: '1' }, summary);
    expect(ofClass.controller.view(ofClass.getPost, { id: '1' }).current().status).toBe('missing');
    await ofClass.controller.set(Needy, { id: '1' }, whole);
    expect(ofClass.controller.view(ofClass.getPost, { id: '1' }).current().status).toBe('fresh');

    const { controller, getPost } = scene({ needs: ['content'] });
    await controller.set(Post, { id: '1' }, summary);
    expect(controller.getResponse(getPost, { id: '1' }).data).toBe(undefined);
    const modest = scene({ needs: [] }, Needy);
    await modest.controller.set(Needy, { id: '1' }, summary);
    expect(modest.controller.view(modest.getPost, { id: '1' }).current().status).toBe('stale');
  });

  test.each<[object]>([[{ include: 'comments' }], [{ title: 'Other' }], [{ title: ['Joins'] }]])(
    'does not answer arguments that contain more than the pk: %j',
    async (more) => {
      const { asked, controller, getPost } = scene();
      await controller.set(Post, { id: '1' }, whole);
      const args = { id: '1', ...more };
      expect(controller.view(getPost, args).current().status).toBe('missing');
      await controller.fetchIfStale(getPost, args);
      expect(asked.length).toBe(1);
    },
  );

  test('is shown and fetched when the path has a parameter that the record lacks', async () => {
    class Task extends Post {
      project?: string;
      static override key = 'Task';
    }
    const { asked, controller, getPost } = scene({ path: '/projects/:project/posts/:id' }, Task);
    const args: Loose = { project: 'a', id: '1' };
    await controller.set(Task, { id: '1' }, whole);
    expect(controller.view(getPost, args).current()).toMatchObject({ status: 'stale', value: whole });
    expect(controller.view(getPost, { ...args, include: 'comments' }).current().status).toBe('missing');
    // The first letters of a parameter of the path are another name.
    expect(controller.view(getPost, { ...args, pro: 'a' }).current().status).toBe('missing');
    await controller.fetchIfStale(getPost, args);
    expect(asked).toEqual(['https://api.example/projects/a/posts/1']);
    await controller.set(Task, { id: '2' }, { ...whole, id: '2', project: 'b' });
    expect(controller.view(getPost, { ...args, project: 'b', id: '2' }).current().status).toBe('fresh');
    expect(controller.view(getPost, { ...args, id: '2' }).current().status).toBe('missing');
  });

  test('answers further arguments that are equal to its fields or undefined', async () => {
    const { controller, getPost } = scene();
    await controller.set(Post, { id: '1' }, whole);
    for (const more of [{ title: 'Joins' }, { include: undefined }]) {
      const args = { id: '1', ...more };
      expect(controller.view(getPost, args).current().status).toBe('fresh');
    }
  });

  test('answers a pk alone, and not with further arguments', async () => {
    const { controller } = scene();
    const getPost = new Endpoint(async (_id: string, _lang?: string) => whole, { name: 'getPost', schema: Post });
    await controller.set(Post, { id: '1' }, whole);
    expect(controller.view(getPost, '1').current().status).toBe('fresh');
    expect(controller.view(getPost, '1', undefined).current().status).toBe('fresh');
    expect(controller.view(getPost, '1', 'en').current().status).toBe('missing');
  });

  test('answers its temporary pk while it is being created, and also when the server has answered', async () => {
    const answered = deferred();
    const posts = resource({
      path: '/posts/:id',
      schema: Post,
      optimistic: true,
      platform: { ...platform, fetch: async () => answered.promise.then(() => Response.json(whole)) },
    });
    const controller = new Controller();
    const { id, ...body } = whole;
    const created = controller.fetch(posts.create, body);
    const temporary = controller.get(from(Post).one())?.id ?? '';
    const shown: string[] = [];
    const stop = controller.watch(posts.get, { id: temporary }, (answer: Answer<Post>) => {
      shown.push('value' in answer ? answer.value.id : answer.status);
    });
    answered.resolve();
    await created;
    stop();
    expect(shown).toEqual([temporary, id]);
    expect(controller.view(posts.get, { id: temporary }).current().status).toBe('fresh');
  });

  test('answers arguments for which `queryKey` of its class returns its pk', async () => {
    class Latest extends Post {
      static override queryKey(args: readonly Loose[], ..._rest: Loose[]): string | undefined {
        return (args[0] as { latest?: boolean }).latest === true ? '1' : undefined;
      }
    }
    const getLatest = new Endpoint(async (_asked: { latest: boolean }) => whole, { name: 'getLatest', schema: Latest });
    const controller = new Controller();
    await controller.set(Post, { id: '1' }, whole);
    expect(controller.view(getLatest, { latest: true }).current().status).toBe('fresh');
  });

  test('is fetched if its pk() cannot read the arguments', async () => {
    class Repository extends Entity {
      owner = { login: '' };
      name = '';
      stars = 0;
      override pk(): string {
        return `${this.owner.login}/${this.name}`;
      }
      static override key = 'Repository';
    }
    const owner = { login: 'ann' };
    let stored = { owner, name: 'joins', stars: 1 };
    const repositories = resource({
      path: '/repos/:login/:repo',
      schema: Repository,
      optimistic: true,
      platform: {
        ...platform,
        fetch: async (_url: string, { body }: RequestInit) =>
          Response.json((stored = { ...stored, ...(JSON.parse(String(body ?? '{}')) as object) })),
      },
    });
    const controller = new Controller();
    const args = { login: 'ann', repo: 'joins' };
    expect(controller.view(repositories.get, args).current().status).toBe('missing');
    const read = await controller.fetch(repositories.get, args);
    expect(read.stars).toBe(1);
    await controller.set(read, { stars: 2 });
    expect(controller.get(Repository, { owner, name: 'joins' })?.stars).toBe(2);
    expect((await controller.fetch(repositories.partialUpdate, args, { stars: 3 })).stars).toBe(3);
    expect(controller.view(repositories.get, args).current()).toMatchObject({ status: 'fresh', value: { stars: 3 } });
  });
});
