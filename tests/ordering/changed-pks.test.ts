import { describe, expect, test } from 'vitest';
import {
  All,
  belongsTo,
  Controller,
  Entity,
  hasMany,
  keyOf,
  Lazy,
  resource,
  RestEndpoint,
  Union,
  Values,
} from '../../src/index.ts';
import { Random } from '../oracle/random.ts';
import { Article, ArticlesWorld, Reader } from './articles-world.ts';
import { settled, Transport } from './transport.ts';

const old = { slug: 'old', title: 'Old', body: '', tag: 'x' };
const other = { slug: 'other', title: 'Other', body: '', tag: 'x' };
const changed = { ...old, slug: 'new', title: 'New' };

/** A list, a page and a reference of an article. */
async function begin(options: { readonly serial?: boolean } = {}) {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const shared = { optimistic: true, platform: transport, searchParams: {} as { tag?: string }, ...options } as const;
  const articles = resource({ ...shared, path: '/articles/:slug', schema: Article });
  const user = new RestEndpoint({ path: '/user', schema: Reader, platform: transport });
  await controller.setResponse(articles.getList, {}, [old, other]);
  await controller.setResponse(articles.getList, { tag: 'x' }, [old, other]);
  await controller.setResponse(articles.get, { slug: 'old' }, old);
  await controller.setResponse(user, { id: '1', pinned: 'old' });
  const failed: unknown[] = [];
  const edit = async (slug: string, change: object) => {
    controller.fetch(articles.partialUpdate, { slug }, change).catch((error: unknown) => failed.push(error));
    await settled();
  };
  const answer = async (what: string, value: unknown, status = 200) => {
    transport.take(what).answer(value, { status });
    await settled();
  };
  const list = () => controller.getResponse(articles.getList, {}).data ?? [];
  return { answer, articles, controller, edit, failed, list, transport, user };
}

describe('the answer of an edit that has its record under another pk', () => {
  test('gives the record this pk in lists, references, live queries and answers', async () => {
    const { answer, articles, controller, edit, list, transport, user } = await begin();
    const [first, second] = list();
    controller.watch(articles.getList, {}, () => {});
    controller.watch(articles.get, { slug: 'old' }, () => {});
    await edit('old', { title: 'New' });
    await answer('PATCH /articles/old', changed);
    const now = controller.get(Article, { slug: 'new' });
    expect(now?.title).toBe('New');
    expect(list()[0]).toBe(now);
    expect(list()[1]).toBe(second);
    expect(list()).toHaveLength(2);
    expect(controller.get(new All(Article))).toEqual([now, second]);
    expect(controller.getResponse(articles.getList, { tag: 'x' }).data?.[0]).toBe(now);
    expect(controller.getResponse(articles.get, { slug: 'old' }).data).toBe(now);
    expect(controller.getResponse(articles.get, { slug: 'new' }).data).toBe(now);
    expect(controller.getResponse(user).data?.pinned).toBe(now);
    expect(controller.get(Article, { slug: 'old' })).toBe(undefined);
    expect(keyOf(now as Article)).toBe(keyOf(first as Article));
    expect(transport.sent).toEqual([]);
  });

  test('and its former pk can be that of another record, and of the same record again', async () => {
    const { answer, articles, controller, edit, list } = await begin();
    await edit('old', { title: 'New' });
    await answer('PATCH /articles/old', changed);
    await controller.setResponse(articles.getList, {}, [changed, other, { ...old, title: 'Another' }]);
    expect(list().map(({ slug, title }) => `${slug} ${title}`)).toEqual(['new New', 'other Other', 'old Another']);
    expect(new Set(list().map((article) => keyOf(article))).size).toBe(3);
    await controller.setResponse(articles.getList, {}, [changed, other]);
    controller.fetch(articles.delete, { slug: 'old' }).catch(() => {});
    await settled();
    await answer('DELETE /articles/old', {});
    await edit('new', { title: 'Old' });
    await answer('PATCH /articles/new', old);
    expect(list().map(({ slug }) => slug)).toEqual(['old', 'other']);
    expect(keyOf(list()[0] as Article)).toBe('old');
  });

  test('lets answers from before the edit mean the record', async () => {
    const { answer, articles, controller, edit, list, transport } = await begin();
    await edit('old', { body: 'text' });
    controller.fetch(articles.getList, {}).catch(() => {});
    const edited = transport.take('PATCH /articles/old');
    await edit('old', { title: 'New' });
    await answer('PATCH /articles/old', changed);
    expect(list()[0]).toMatchObject({ slug: 'new', body: 'text' });
    await answer('GET /articles', [old, other]);
    expect(list().map(({ slug }) => slug)).toEqual(['new', 'other']);
    edited.answer({ ...old, body: 'text' });
    await settled();
    expect(list()[0]).toMatchObject({ slug: 'new', title: 'New', body: 'text' });
    expect(controller.get(new All(Article))).toHaveLength(2);
  });

  test('sends edits that wait to the present address', async () => {
    const { answer, controller, edit, list, transport } = await begin({ serial: true });
    await edit('old', { title: 'New' });
    await edit('old', { body: 'text' });
    await answer('PATCH /articles/old', changed);
    expect(transport.sent).toEqual(['PATCH /articles/new']);
    const [shown] = list();
    expect(shown).toMatchObject({ slug: 'new', title: 'New', body: 'text' });
    expect(controller.mutations.pendingRecords.has(shown as Article)).toBe(true);
    await edit('new', { tag: 'x' });
    expect(transport.sent).toEqual(['PATCH /articles/new']);
    await answer('PATCH /articles/new', { ...changed, body: 'text' });
    expect(transport.sent).toEqual(['PATCH /articles/new']);
  });

  test('leaves the record pending until its other edits are answered', async () => {
    const { answer, controller, list, transport } = await begin();
    const { partialUpdate } = resource({ path: '/articles/:slug', schema: Article, platform: transport });
    for (const change of [{ title: 'New' }, { body: 'text' }])
      controller.fetch(partialUpdate, { slug: 'old' }, change).catch(() => {});
    await settled();
    const isPending = (): boolean => controller.mutations.pendingRecords.has(list()[0] as Article);
    await answer('PATCH /articles/old', changed);
    expect([list()[0]?.slug, isPending()]).toEqual(['new', true]);
    await answer('PATCH /articles/old', { ...changed, body: 'text' });
    expect([list()[0]?.body, isPending()]).toEqual(['text', false]);
  });

  test('is that of the record of an earlier create too, whose answer has the former pk', async () => {
    const { answer, articles, controller, edit, list, transport } = await begin();
    controller.watch(articles.getList, {}, () => {});
    const sent = { title: 'First', body: '', tag: 'x' };
    const created = { slug: 'first', ...sent };
    void controller.fetch(articles.getList.push, {}, sent);
    await settled();
    void controller.fetch(articles.getList, {});
    await settled();
    await answer('GET /articles', [old, other, created]);
    await edit('first', { title: 'Second' });
    await answer('PATCH /articles/first', { ...created, slug: 'second', title: 'Second' });
    await answer('POST /articles', created);
    const slugs = (): string[] => (controller.get(new All(Article)) ?? []).map(({ slug, title }) => `${slug} ${title}`);
    expect(slugs().toSorted()).toEqual(['old Old', 'other Other', 'second Second']);
    for (const call of transport.calls.splice(0))
      call.answer([old, other, { ...created, slug: 'second', title: 'Second' }]);
    await settled();
    expect(slugs().toSorted()).toEqual(['old Old', 'other Other', 'second Second']);
    expect(list().map(({ slug }) => slug)).toEqual(['old', 'other', 'second']);
  });

  test('and the record of a create that was issued later can have the former pk', async () => {
    const { answer, articles, controller, edit } = await begin();
    await edit('old', { title: 'New' });
    void controller.fetch(articles.getList.push, {}, { title: 'Old', body: 'mine', tag: 'x' });
    await settled();
    await answer('PATCH /articles/old', changed);
    await answer('POST /articles', { ...old, body: 'mine' });
    expect(controller.get(Article, { slug: 'old' })?.body).toBe('mine');
    expect(controller.get(Article, { slug: 'new' })?.body).toBe('');
  });

  test('keeps what is known of a record that has this pk already', async () => {
    const { answer, articles, controller, edit, list } = await begin();
    await edit('old', { title: 'New' });
    await controller.setResponse(articles.getList, {}, [changed, old, other]);
    const key = keyOf(list()[0] as Article);
    await answer('PATCH /articles/old', changed);
    expect(list().map(({ slug }) => slug)).toEqual(['new', 'other']);
    expect(keyOf(list()[0] as Article)).toBe(key);
  });

  test('puts what shows the record in doubt while other mutations are in flight, or if another record was known by its pk', async () => {
    const { answer, articles, controller, edit, transport } = await begin();
    controller.watch(articles.getList, {}, () => {});
    await edit('old', { title: 'New' });
    await edit('other', { body: 'text' });
    await answer('PATCH /articles/old', changed);
    expect(transport.sent).toEqual(['PATCH /articles/other']);
    await answer('PATCH /articles/other', { ...other, body: 'text' });
    expect(transport.sent).toEqual(['GET /articles']);
    await answer('GET /articles', [changed, { ...other, body: 'text' }]);
    await edit('other', { title: 'New' });
    await answer('PATCH /articles/other', { ...other, slug: 'new', title: 'New' });
    expect(transport.sent).toEqual(['GET /articles']);
  });

  test('changes nothing if it cannot be stored', async () => {
    class Strict extends Article {
      static override key = 'StrictArticle';
      static override validate({ title }: Partial<Article>): string | undefined {
        return title === 'New' ? 'no' : undefined;
      }
    }
    const transport = new Transport();
    const controller = new Controller({ now: () => transport.time });
    const articles = resource({ path: '/strict/:slug', schema: Strict, platform: transport });
    await controller.setResponse(articles.getList, [old, other]);
    const before = controller.getResponse(articles.getList).data;
    const sent = controller.fetch(articles.update, { slug: 'old' }, { title: 'New' });
    await settled();
    transport.take('PUT /strict/old').answer(changed);
    await expect(sent).rejects.toThrow('no');
    expect(controller.getResponse(articles.getList).data).toEqual(before);
    expect(controller.get(Strict, { slug: 'new' })).toBe(undefined);
    await controller.setResponse(articles.getList, [{ ...old, title: 'Later' }]);
    expect(controller.get(Strict, { slug: 'old' })?.title).toBe('Later');
  });

  test('keeps the React key of a record that was created here', async () => {
    const { answer, articles, controller, edit, list } = await begin();
    controller
      .fetch(articles.getList.push, {}, { title: 'Old', body: '', tag: 'x', slug: undefined as never })
      .catch(() => {});
    await settled();
    const key = keyOf(list().at(-1) as Article);
    await answer('POST /articles', { ...old, slug: 'created' });
    await edit('created', { title: 'New' });
    await answer('PATCH /articles/created', changed);
    expect(list().at(-1)?.slug).toBe('new');
    expect(keyOf(list().at(-1) as Article)).toBe(key);
  });

  test('is found inside of an object, too', async () => {
    const { answer, controller, list, transport } = await begin();
    const wrapped = new RestEndpoint({
      path: '/articles/:slug/',
      method: 'PUT',
      schema: { article: Article },
      body: {},
      platform: transport,
    });
    controller.fetch(wrapped, { slug: 'old' }, { title: 'New' }).catch(() => {});
    await settled();
    await answer('PUT /articles/old/', { article: changed });
    expect(list().map(({ slug }) => slug)).toEqual(['new', 'other']);
  });

  test('is another record if the path does not end with the pk of the record', async () => {
    const { answer, controller, list, transport } = await begin();
    const next = new RestEndpoint({
      path: '/articles/:slug/next',
      method: 'PUT',
      schema: Article,
      body: {},
      platform: transport,
    });
    controller.fetch(next, { slug: 'old' }, { count: 1 }).catch(() => {});
    await settled();
    await answer('PUT /articles/old/next', changed);
    expect(list().map(({ slug }) => slug)).toEqual(['old', 'other']);
    expect(controller.get(new All(Article))).toHaveLength(3);
  });

  test('is forgotten with the other data', async () => {
    const { answer, articles, controller, edit, list } = await begin();
    await edit('old', { title: 'New' });
    await answer('PATCH /articles/old', changed);
    await controller.resetEntireStore();
    await controller.setResponse(articles.getList, {}, [old, changed]);
    expect(list().map((article) => keyOf(article))).toEqual(['old', 'new']);
  });
});

class Label extends Entity {
  name = '';
  static override key = 'ChangedLabel';
  static marks = hasMany(() => Mark, 'labelName');
  override pk(): string {
    return this.name;
  }
}
class Mark extends Entity {
  id = '';
  labelName = '';
  readonly kinds: readonly unknown[] = [];
  readonly map: object = {};
  readonly inside: { readonly label?: Label; readonly note?: string } = {};
  readonly lazy: unknown = undefined;
  static override key = 'ChangedMark';
  static label = belongsTo(Label, 'labelName');
  static override schema = {
    kinds: [new Union({ label: Label }, () => 'label')],
    map: new Values(Label),
    inside: { label: Label },
    lazy: new Lazy(Label),
  };
}

test('a changed pk is changed in every kind of field', async () => {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const labels = resource({ path: '/labels/:name', schema: Label, platform: transport });
  const marks = resource({ path: '/marks/:id', schema: Mark, platform: transport });
  await controller.setResponse(labels.getList, [{ name: 'a' }, { name: 'z' }]);
  const everything = new RestEndpoint({ path: '/everything', schema: new All(Label), platform: transport });
  await controller.setResponse(everything, [{ name: 'a' }, { name: 'z' }] as never);
  const mark = {
    id: '1',
    labelName: 'a',
    kinds: [{ kind: 'label', name: 'a' }],
    map: { one: { name: 'a' }, two: { name: 'z' } },
    inside: { label: { name: 'a' }, note: 'a' },
    lazy: { name: 'a' },
  };
  await controller.setResponse(marks.get, { id: '1' }, mark);
  controller.fetch(labels.partialUpdate, { name: 'a' }, { name: 'b' }).catch(() => {});
  await settled();
  transport.take('PATCH /labels/a').answer({ name: 'b' });
  await settled();
  const label = controller.get(Label, { name: 'b' }) as Label;
  const now = controller.get(Mark, { id: '1' }) as Mark;
  expect(now.kinds[0]).toBe(label);
  expect((now.map as { one: Label }).one).toBe(label);
  expect(now.inside).toEqual({ label, note: 'a' });
  expect(now.inside.label).toBe(label);
  expect(now.lazy).toBe('b');
  expect(now.labelName).toBe('b');
  expect(controller.get(Mark.label, now)).toBe(label);
  expect(controller.get(Label.marks, label)).toEqual([now]);
  expect(controller.get(new All(Label))).toHaveLength(2);
});

test('an answer with another number is that of another record', async () => {
  class Team extends Entity {
    id = 0;
    name = '';
    static override key = 'NumberedTeam';
  }
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const teams = resource({ path: '/teams/:id', schema: Team, platform: transport });
  await controller.setResponse(teams.getList, [
    { id: 1, name: 'a' },
    { id: 2, name: 'b' },
  ]);
  controller.fetch(teams.partialUpdate, { id: 1 }, { name: 'c' }).catch(() => {});
  await settled();
  transport.take('PATCH /teams/1').answer({ id: 2, name: 'c' });
  await settled();
  expect(controller.get(Team, { id: 1 })).toBeInstanceOf(Team);
});

describe.each([true, false])('histories of articles whose slugs change, with slugs of others: %s', (isReusing) => {
  test.each(Array.from({ length: 20 }, (_, seed) => seed + 1))('%s', async (seed) => {
    const faults = await new ArticlesWorld(new Random(seed), isReusing).run(isReusing ? 40 : 16);
    expect(faults).toEqual([]);
  });
});
