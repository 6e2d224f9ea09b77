import type { Call } from './transport.ts';

/** An article of the server. Its slug follows its title. */
export interface ServerArticle {
  slug: string;
  title: string;
  body: string;
  tag: string;
}

interface ServerComment {
  readonly id: string;
  articleSlug: string;
}

/** A server whose articles have slugs instead of ids: an edit of the title changes the address. */
export class ArticlesServer {
  articles: ServerArticle[] = [];
  readonly comments: ServerComment[] = [];
  /** A user with a reference to an article. */
  readonly user: { id: string; pinned: string | undefined } = { id: '1', pinned: undefined };
  readonly #envelope: boolean;

  constructor(envelope: boolean) {
    this.#envelope = envelope;
  }

  answer({ method, url, body: sent }: Call): { readonly status: number; readonly value: unknown } {
    const [path = '', search = ''] = url.split('?');
    const [, kind, slug] = path.split('/');
    const { article: body = sent } = Object(sent) as { readonly article?: unknown };
    if (kind === 'user') return this.#ok(this.user);
    if (kind === 'comments') return this.#comments(method, body as ServerComment);
    const tag = new URLSearchParams(search).get('tag');
    if (slug === undefined)
      return method === 'POST'
        ? this.#create(body as ServerArticle)
        : this.#ok(this.articles.filter((article) => tag === null || article.tag === tag));
    const article = this.articles.find((one) => one.slug === slug);
    if (article === undefined) return { status: 404, value: {} };
    if (method === 'DELETE') {
      this.articles = this.articles.filter((one) => one !== article);
      return this.#ok({});
    }
    return method === 'GET' ? this.#one(article) : this.#edit(article, body as Partial<ServerArticle>);
  }

  #ok(value: unknown): { readonly status: number; readonly value: unknown } {
    return { status: 200, value: structuredClone(value) };
  }

  #one(article: ServerArticle): { readonly status: number; readonly value: unknown } {
    return this.#ok(this.#envelope ? { article } : article);
  }

  #isTaken(title: string): boolean {
    return this.articles.some(({ slug }) => slug === title.toLowerCase());
  }

  #create(body: ServerArticle): { readonly status: number; readonly value: unknown } {
    if (this.#isTaken(body.title)) return { status: 422, value: {} };
    const article = { ...body, slug: body.title.toLowerCase() };
    this.articles.push(article);
    return this.#one(article);
  }

  #edit(article: ServerArticle, { title = article.title, ...others }: Partial<ServerArticle>) {
    if (title !== article.title && this.#isTaken(title)) return { status: 422, value: {} };
    const { slug } = article;
    Object.assign(article, others, { title, slug: title.toLowerCase() });
    for (const comment of this.comments) if (comment.articleSlug === slug) comment.articleSlug = article.slug;
    if (this.user.pinned === slug) this.user.pinned = article.slug;
    return this.#one(article);
  }

  #comments(method: string, body: ServerComment) {
    if (method === 'GET') return this.#ok(this.comments);
    const { articleSlug } = body;
    const comment = { id: String(this.comments.length + 1), articleSlug };
    if (!this.articles.some(({ slug }) => slug === articleSlug)) return { status: 422, value: {} };
    this.comments.push(comment);
    return this.#ok(comment);
  }
}
