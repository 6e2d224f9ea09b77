import { All, Controller, Entity, hasMany, keyOf, resource, RestEndpoint } from '../../src/index.ts';
import { envelope } from '../../src/wire.ts';
import type { Random } from '../oracle/random.ts';
import { ArticlesServer } from './articles-server.ts';
import { runHistory } from './run-history.ts';
import { Transport } from './transport.ts';

class SlugComment extends Entity {
  id = '';
  articleSlug = '';
  static override key = 'SlugComment';
}
export class Article extends Entity {
  slug = '';
  title = '';
  body = '';
  tag = '';
  static override key = 'SlugArticle';
  static comments = hasMany(SlugComment, 'articleSlug');
  override pk(): string {
    return this.slug;
  }
}
export class Reader extends Entity {
  id = '';
  readonly pinned: Article | undefined = undefined;
  static override key = 'SlugReader';
  static override schema = { pinned: Article };
}

/** A screen that shows articles in several ways, and a server that gives an article another slug together with its title. */
export class ArticlesWorld {
  readonly #random: Random;
  readonly #server: ArticlesServer;
  readonly #transport = new Transport();
  readonly #controller = new Controller({ now: () => this.#transport.time });
  readonly #articles;
  readonly #comments;
  readonly #user;
  readonly #isInOrder: boolean;
  readonly #answers: { readonly what: string; readonly receive: () => void }[] = [];
  readonly #log: string[] = [];
  readonly #faults: string[] = [];

  readonly #isReusing: boolean;
  #titles = 0;

  /** `isReusing`: articles get former slugs of others. Then the user waits for the answer of each request. */
  constructor(random: Random, isReusing: boolean) {
    this.#random = random;
    this.#isReusing = isReusing;
    this.#isInOrder = random.chance(0.5);
    const isWrapped = random.chance(0.3);
    this.#server = new ArticlesServer(isWrapped);
    const options = {
      platform: this.#transport,
      optimistic: random.chance(0.7),
      searchParams: {} as { tag?: string },
    } as const;
    // One type for both: the wire changes only the answers and the bodies.
    const wire = (isWrapped ? { wire: envelope({ one: 'article' }) } : {}) as object;
    this.#articles = resource({ ...options, ...wire, path: '/articles/:slug', schema: Article });
    this.#comments = resource({ ...options, path: '/comments/:id', schema: SlugComment });
    this.#user = new RestEndpoint({ path: '/user', schema: Reader, platform: this.#transport });
  }

  async run(steps: number): Promise<readonly string[]> {
    const server = this.#server;
    for (const [at, title] of ['A', 'B', 'C'].entries())
      server.articles.push({ slug: title.toLowerCase(), title, body: '', tag: at === 0 ? 'x' : 'y' });
    server.comments.push({ id: '1', articleSlug: 'a' }, { id: '2', articleSlug: 'b' });
    server.user.pinned = 'a';
    const controller = this.#controller;
    const { getList } = this.#articles;
    await controller.setResponse(getList, {}, structuredClone(server.articles));
    for (const tag of ['x', 'y']) {
      await controller.setResponse(getList, { tag }, structuredClone(server.articles.filter((one) => one.tag === tag)));
      controller.watch(getList, { tag }, () => {});
    }
    await controller.setResponse(this.#comments.getList, structuredClone(server.comments));
    await controller.setResponse(this.#user, structuredClone(server.user));
    controller.watch(getList, {}, () => {});
    controller.watch(this.#comments.getList, () => {});
    controller.watch(this.#user, () => {});
    await runHistory(steps, {
      step: () => this.#step(),
      deliver: () => {
        this.#arrive();
        this.#receive();
      },
      look: () => this.#look(),
      isOver: () => this.#transport.calls.length + this.#answers.length === 0,
    });
    const [shown, expected] = [this.#shown(), this.#expected()];
    if (JSON.stringify(shown) !== JSON.stringify(expected))
      this.#faults.push(
        [
          'at the end, the screen differs from the server',
          ...this.#log,
          JSON.stringify(shown),
          JSON.stringify(expected),
        ].join('\n'),
      );
    controller.dispose();
    return this.#faults;
  }

  readonly #text = ({ slug, title, body, tag }: Readonly<Record<'slug' | 'title' | 'body' | 'tag', string>>): string =>
    `${slug} ${title} ${body} ${tag}`;

  #list(args: { tag?: string }): readonly Article[] {
    return this.#controller.getResponse(this.#articles.getList, args).data ?? [];
  }

  #shown() {
    const all = (this.#controller.get(new All(Article)) ?? []) as readonly Article[];
    const user = this.#controller.getResponse(this.#user).data;
    return {
      all: all.map(this.#text).toSorted(),
      lists: [{}, { tag: 'x' }, { tag: 'y' }].map((args) => this.#list(args).map(this.#text).toSorted()),
      pinned: user?.pinned?.slug,
      comments: all.map((article) => `${article.slug}: ${this.#commentsOf(article)}`).toSorted(),
    };
  }

  #commentsOf(article: Article): string {
    return String(
      this.#controller
        .get(Article.comments, article)
        ?.map(({ id }) => id)
        .toSorted(),
    );
  }

  #expected() {
    const { articles, comments, user } = this.#server;
    const of = (tag: string): readonly string[] =>
      articles
        .filter((one) => one.tag === tag)
        .map(this.#text)
        .toSorted();
    return {
      all: articles.map(this.#text).toSorted(),
      lists: [articles.map(this.#text).toSorted(), of('x'), of('y')],
      pinned: articles.find(({ slug }) => slug === user.pinned)?.slug,
      comments: articles
        .map(
          ({ slug }) =>
            `${slug}: ${comments
              .filter((one) => one.articleSlug === slug)
              .map(({ id }) => id)
              .toSorted()}`,
        )
        .toSorted(),
    };
  }

  #look(): void {
    const keys = this.#list({}).map((article) => keyOf(article));
    if (new Set(keys).size < keys.length)
      this.#faults.push(
        ['two rows have one key', ...this.#log, String(keys), JSON.stringify(this.#shown())].join('\n'),
      );
    void this.#shown();
  }

  #step(): void {
    const kind = this.#random.weighted({
      create: 1,
      title: 3,
      body: 2,
      tag: 1,
      remove: this.#isReusing ? 0.7 : 0,
      read: 0.7,
      one: 0.5,
      comment: 0.5,
      arrive: 5,
      receive: 5,
    });
    const { getList, get, partialUpdate, delete: remove } = this.#articles;
    if (kind === 'arrive') return this.#arrive();
    if (kind === 'receive') return this.#receive();
    if (this.#isReusing && this.#transport.calls.length + this.#answers.length > 0) return;
    const title = this.#isReusing ? this.#random.pick(['A', 'B', 'C', 'D', 'E']) : `T${++this.#titles}`;
    if (kind === 'read')
      return this.#send('read', this.#controller.fetch(getList, this.#random.pick([{}, { tag: 'x' }])));
    if (kind === 'create')
      return this.#send(
        `create ${title}`,
        this.#controller.fetch(getList.push, {}, { title, body: '', tag: this.#random.pick(['x', 'y']) }),
      );
    const shown = this.#list({}).filter(({ slug }) => slug !== undefined && slug !== '');
    if (shown.length === 0) return;
    const { slug } = this.#random.pick(shown);
    if (kind === 'remove') return this.#send(`remove ${slug}`, this.#controller.fetch(remove, { slug }));
    if (kind === 'one') return this.#send(`read ${slug}`, this.#controller.fetch(get, { slug }));
    if (kind === 'comment')
      return this.#send(`comment ${slug}`, this.#controller.fetch(this.#comments.getList.push, { articleSlug: slug }));
    const change =
      kind === 'title'
        ? { title }
        : kind === 'body'
          ? { body: String(this.#log.length) }
          : { tag: this.#random.pick(['x', 'y']) };
    this.#send(`edit ${slug} ${JSON.stringify(change)}`, this.#controller.fetch(partialUpdate, { slug }, change));
  }

  #send(what: string, sent: Promise<unknown>): void {
    this.#log.push(what);
    sent.catch((error: unknown) => this.#log.push(`failed: ${what}: ${String(error)}`));
  }

  #arrive(): void {
    const { calls } = this.#transport;
    const [call] = calls.splice(this.#isInOrder ? 0 : this.#random.below(calls.length), 1);
    if (call === undefined) return;
    const { status, value } = this.#server.answer(call);
    const what = `${call.method} ${call.url} ${JSON.stringify(call.body)}: ${status} ${JSON.stringify(value)}`;
    this.#log.push(`arrives: ${what}`);
    this.#answers.push({ what, receive: () => call.answer(value, { status }) });
  }

  #receive(): void {
    const [answer] = this.#answers.splice(this.#random.below(this.#answers.length), 1);
    if (answer === undefined) return;
    this.#log.push(`answered: ${answer.what}`);
    answer.receive();
  }
}
