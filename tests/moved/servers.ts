/** A server without a network: returns the answer to a request with its body. */
export type Route = (body: Readonly<Record<string, unknown>>) => readonly [body: unknown, status?: number];
export type Routes = Readonly<Record<string, Route>>;

/** The answers that an application gets, and the actions of its user. */
export interface Session {
  /** A server in its first state. */
  readonly server: () => Routes;
  /** The milliseconds before an answer. The next poll of this library starts after the previous answer. The other library counts from the first poll. */
  readonly latency: number;
  /** Names of buttons to press, or seconds to wait. */
  readonly steps: readonly (string | number)[];
}

function todo(): Routes {
  let id = 10;
  const todos = [
    { id: 1, userId: 1, title: 'Write', completed: false },
    { id: 2, userId: 1, title: 'Read', completed: true },
  ];
  return {
    'GET /todos?userId=1': () => [todos],
    'GET /todos?userId=2': () => [[{ id: 3, userId: 2, title: 'Rest', completed: false }]],
    'POST /todos?userId=1': (body) => [{ ...body, id: ++id }, 201],
    'PATCH /todos/1': (body) => [{ ...todos[0], ...body }],
    'PATCH /todos/2': () => [{ message: 'Not yours' }, 403],
    'PATCH /todos/11': (body) => [{ id: 11, userId: 1, title: 'Plant two trees', ...body }],
    'DELETE /todos/1': () => [{ id: 1 }],
  };
}

function blog(): Routes {
  const ann = { id: 'u1', name: 'Ann' };
  const bob = { id: 'u2', name: 'Bob' };
  const post = (id: string, author: object): object => ({
    id,
    title: `Post ${id}`,
    body: `Text ${id}`,
    author,
    published: `2026-01-0${id}T00:00:00Z`,
  });
  return {
    'GET /posts': () => [{ posts: [post('1', ann), post('2', bob)], cursor: 'a' }],
    'GET /posts?cursor=a': () => [{ posts: [post('3', ann), post('2', bob)], cursor: 'b' }],
    'GET /posts?cursor=b': () => [{ posts: [post('4', bob)], cursor: '' }],
    'GET /posts/1': () => [post('1', ann)],
    'PATCH /posts/1': (body) => [{ ...post('1', { ...ann, name: 'Anna' }), ...body }],
    'PATCH /users/u1': (body) => [{ ...ann, ...body }],
    'GET /comments?postId=1': () => [
      [
        { id: 'c1', postId: '1', text: 'Nice', commenter: bob },
        { id: 'c2', postId: '1', text: 'True', commenter: ann },
      ],
    ],
    'POST /comments?postId=1': (body) => [{ id: 'c3', ...body, commenter: bob }, 201],
    'DELETE /comments/c1': () => [{ id: 'c1' }],
  };
}

function tickers(): Routes {
  const begin = Date.now();
  /** A price that increases by a half each second. */
  const ticker =
    (price: number): Route =>
    () => {
      const seconds = Math.floor((Date.now() - begin) / 1000);
      return [{ price: String(price + seconds / 2), time: new Date(begin + seconds * 1000).toISOString() }];
    };
  return {
    'GET /products': () => [
      [
        { id: 'BTC-USD', base: 'BTC' },
        { id: 'ETH-USD', base: 'ETH' },
      ],
    ],
    'GET /products/BTC-USD/ticker': ticker(60_000),
    'GET /products/ETH-USD/ticker': ticker(3000),
  };
}

function reader(): Routes {
  const ann = { id: 1, login: 'ann', avatar_url: 'a.png' };
  const bob = { id: 2, login: 'bob', avatar_url: 'b.png' };
  const issue = (number: number, user: object): object => ({
    number,
    repository_url: 'https://api.test/repos/ann/trees',
    title: `Issue ${number}`,
    state: 'open',
    comments: 1,
    user,
    labels: [{ id: 1, name: 'bug' }],
  });
  let remarks = 7;
  let logins = 0;
  return {
    'GET /user': () => (logins++ === 0 ? [{ message: 'Who?' }, 401] : [ann]),
    'GET /repos/ann/trees/issues?state=open': () => [[issue(3, ann), issue(2, bob)]],
    'GET /repos/ann/trees/issues?page=2&state=open': () => [[issue(1, ann)]],
    'GET /repos/ann/trees/issues?page=3&state=open': () => [[]],
    'GET /repos/ann/trees/issues/2': () => [issue(2, bob)],
    'GET /repos/ann/trees/issues/1': () => [issue(1, { ...ann, login: 'ann-marie' })],
    'PATCH /repos/ann/trees/issues/2': (body) => [{ ...issue(2, bob), ...body }],
    'GET /repos/ann/trees/issues/2/comments': () => [[{ id: 7, body: 'Same here', user: ann }]],
    'POST /repos/ann/trees/issues/2/comments': (body) => [{ id: ++remarks, ...body, user: ann }, 201],
    'GET /repos/ann/trees/issues/1/comments': () => [{ message: 'Gone' }, 410],
  };
}

function shelf(): Routes {
  const ann = { id: 'p1', name: 'Ann' };
  const book = { id: 'b1', kind: 'book', title: 'Leaves', isbn: '1-2', added: '2020-05-01T00:00:00Z' };
  const film = { id: 'f1', kind: 'film', title: 'Roots', minutes: '90 min', lent: 0, added: '2021-05-01T00:00:00Z' };
  let lent = 1;
  let reads = 0;
  let shelves = 0;
  let loans = 2;
  const whole = (): object => ({ ...book, lent, author: ann });
  return {
    'GET /shelf': () => [
      { media: [whole(), film, { ...film, id: 'f2', title: 'Bark' }], owner: ann, note: `Note ${++shelves}` },
    ],
    // The second request fails.
    'GET /books/b1': () => (++reads === 2 ? [{ message: 'Later' }, 503] : [whole()]),
    'GET /books/b9': () => [{ message: 'None' }, 404],
    'POST /books/b1/lend': () => [{ id: 'b1', lent: ++lent }],
    'PUT /books/b1': (body) => [{ ...whole(), ...body }],
    'POST /purge': () => [{ gone: [{ id: 'f2' }] }],
    'GET /loans': () => [{ ann: { person: 'p1', medium: 'b1', times: loans-- }, nobody: null }],
    'GET /films/f1.json': () => [film],
  };
}

export const sessions: Readonly<Record<string, Session>> = {
  todo: {
    server: todo,
    latency: 100,
    steps: ['check 1', 'check 2', 'add', 'check 11', 'user', 'user', 'add', 'check 1', 'delete 1'],
  },
  blog: {
    server: blog,
    latency: 100,
    steps: ['more', 'open 1', 'rename author', 'retitle', 'comment', 'remove c1', 'more', 'close', 'open 1'],
  },
  tickers: {
    server: tickers,
    latency: 0,
    steps: ['ETH-USD', 7, 'live', 8, 'ETH-USD', 12, 'live', 10],
  },
  reader: {
    server: reader,
    latency: 100,
    steps: ['open 2', 'remark', 'again', 'more', 'open 1', 'more', 'open 2'],
  },
  shelf: {
    server: shelf,
    latency: 100,
    steps: ['lend', 'again', 'rename', 'expire', 'drop', 'purge', 'retitle', 'missing', 'back', 'lend', 'lend'],
  },
};
