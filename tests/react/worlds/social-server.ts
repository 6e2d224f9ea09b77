/** The server of a social network: posts of three kinds, comments in trees, likes, votes, follows and blocks. */
import type { Random } from '../random.ts';
import type { Call, Fields, Network, Reply } from './network.ts';

const ME = '1';

interface KeptUser {
  readonly id: string;
  name: string;
  followers: number;
  following: boolean;
  blocked: boolean;
}
interface KeptPost {
  readonly id: string;
  readonly type: string;
  readonly author: string;
  readonly text: string;
  likes: number;
  liked: boolean;
  vote: string | null;
}
interface KeptComment {
  readonly id: string;
  readonly postId: string;
  readonly parentId: string | null;
  readonly author: string;
  readonly text: string;
  readonly at: number;
}

export class SocialServer {
  readonly #network: Network;
  readonly #users: readonly KeptUser[];
  /** The newest first. */
  #posts: readonly KeptPost[] = [];
  #comments: readonly KeptComment[] = [];
  #unread = 0;
  #last = 0;

  constructor(network: Network) {
    this.#network = network;
    this.#users = [ME, '2', '3'].map((id) => ({ id, name: `n${id}`, followers: 2, following: false, blocked: false }));
    for (let at = 0; at < 9; at++) this.#post(`${1 + (at % 3)}`, { type: ['text', 'image', 'poll'][(at >> 1) % 3] });
    for (const { id } of this.#posts.slice(0, 4)) {
      const { id: parentId } = this.#comment('2', id, {});
      this.#comment('3', id, { parentId });
    }
  }

  other(choice: Random): string {
    const author = choice.pick(['2', '3']);
    const post = choice.pick(this.#posts);
    this.#unread++;
    switch (choice.pick(['post', 'like', 'comment', 'rename', 'delete'])) {
      case 'post':
        return `posts ${this.#post(author, { type: choice.pick(['text', 'image', 'poll']) }).id}`;
      case 'like':
        post.likes++;
        return `likes ${post.id}`;
      case 'comment':
        return `comments ${post.id}: ${this.#comment(author, post.id, {}).id}`;
      case 'rename':
        this.#user(author).name = `n${this.#network.next()}`;
        return `is renamed: ${author}`;
      default:
        if (this.#posts.length > 4) this.#posts = this.#posts.filter((one) => one !== post);
        return `deletes ${post.id}`;
    }
  }

  answer(call: Call): Reply {
    const { method, path, search } = call;
    const [table, id = '', part] = path;
    if (table === 'feed') return this.#feed(search);
    if (table === 'unread') return { body: { unread: this.#unread } };
    if (table === 'search') return { body: this.#bodies(({ text }) => text.includes(String(search['q']))) };
    if (table === 'comments') return this.#uncomment(id);
    if (table === 'users') return this.#answerUser(call, this.#user(id));
    if (method === 'POST' && id === '') return { status: 201, body: this.#body(this.#post(ME, call.body)) };
    const post = this.#posts.find((one) => one.id === id);
    if (post === undefined) return { status: 404 };
    if (part === 'comments') return this.#answerComments(call, post);
    return this.#answerPost(call, post);
  }

  #answerUser({ body, method, path: [, , part] }: Call, user: KeptUser): Reply {
    if (part === 'posts') return { body: this.#bodies(({ author }) => author === user.id) };
    if (part === 'block') user.blocked = method === 'PUT';
    if (part === 'follow') this.#follow(user, method === 'PUT');
    if (method === 'PATCH') user.name = String(body['name']);
    return { body: { ...user } };
  }

  #answerPost({ body, method, path: [, , part] }: Call, post: KeptPost): Reply {
    if (part === 'like') {
      const liked = method === 'PUT';
      post.likes += Number(liked) - Number(post.liked);
      post.liked = liked;
    }
    if (part === 'vote') post.vote = String(body['vote']);
    if (part === undefined && method === 'DELETE') {
      this.#posts = this.#posts.filter((one) => one !== post);
      return { status: 204 };
    }
    return { body: this.#body(post) };
  }

  #answerComments({ body, method, path: [, , , asked] }: Call, post: KeptPost): Reply {
    if (asked !== undefined) {
      const found = this.#comments.find(({ id }) => id === asked);
      return found ? { body: this.#commentBody(found) } : { status: 404 };
    }
    if (method === 'GET') return { body: this.#tree(post.id, null) };
    const { parentId } = body;
    if (typeof parentId === 'string' && !this.#comments.some(({ id }) => id === parentId)) return { status: 422 };
    const comment = this.#comment(ME, post.id, body);
    return { status: 201, body: { ...this.#commentBody(comment), post: this.#body(post) } };
  }

  #uncomment(id: string): Reply {
    const comment = this.#comments.find((one) => one.id === id);
    if (comment === undefined) return { status: 404 };
    if (this.#comments.some(({ parentId }) => parentId === id))
      return { status: 409, body: { message: 'It has replies.' } };
    this.#comments = this.#comments.filter((one) => one !== comment);
    const post = this.#posts.find((one) => one.id === comment.postId);
    return { body: { comment: id, post: post ? this.#body(post) : null } };
  }

  #feed({ cursor, limit }: Call['search']): Reply {
    const all = this.#bodies(({ author }) => !this.#user(author).blocked);
    const start = cursor === undefined ? 0 : all.findIndex(({ id }) => Number(id) < Number(cursor));
    const items = start < 0 ? [] : all.slice(start, start + Number(limit));
    const last = items.at(-1);
    return { body: { items, ...(last !== undefined && last !== all.at(-1) && { next: last['id'] }) } };
  }

  #follow(user: KeptUser, following: boolean): void {
    user.followers += Number(following) - Number(user.following);
    user.following = following;
  }

  #user(id: string): KeptUser {
    return this.#users.find((one) => one.id === id) as KeptUser;
  }

  #post(author: string, { text, type }: Fields): KeptPost {
    const at = ++this.#last;
    const post = { id: `${at}`, type: String(type ?? 'text'), author, text: String(text ?? `t${at}`) };
    const kept = { ...post, likes: at % 3, liked: false, vote: null };
    this.#posts = [kept, ...this.#posts];
    return kept;
  }

  #comment(author: string, postId: string, { parentId, text }: Fields): KeptComment {
    const at = ++this.#last;
    const fields = { id: `${at}`, postId, parentId: (parentId ?? null) as string | null, author };
    const kept = { ...fields, text: String(text ?? `t${at}`), at: this.#network.next() };
    this.#comments = [...this.#comments, kept];
    return kept;
  }

  #bodies(matches: (post: KeptPost) => boolean): readonly Fields[] {
    return this.#posts.filter(matches).map((post) => this.#body(post));
  }

  #body({ author, ...post }: KeptPost): Fields {
    const comments = this.#comments.filter(({ postId }) => postId === post.id).length;
    return { ...post, author: { ...this.#user(author) }, comments };
  }

  #commentBody({ author, ...comment }: KeptComment): Fields {
    return { ...comment, author: { ...this.#user(author) } };
  }

  #tree(post: string, parent: string | null): readonly Fields[] {
    return this.#comments
      .filter(({ parentId, postId }) => postId === post && parentId === parent)
      .map((one) => ({ ...this.#commentBody(one), replies: this.#tree(post, one.id) }));
  }
}
