/** The API of the documents, without a network: the answer to each request. */
const ann = { id: '1', name: 'Ann' };
const bob = { id: '2', name: 'Bob' };
const task = { id: '1', title: 'Write it down', completed: false };
let votes = 5;

type Answer = readonly [body: unknown, headers?: Record<string, string>, status?: number];
type Route = (body: Record<string, unknown>) => Answer;

const routes: Readonly<Record<string, Route>> = {
  'GET /posts': () => [
    [
      { id: '10', title: 'Joins', author: ann, comments: [{ id: '100', content: 'Nice!', commenter: bob }] },
      { id: '11', title: 'Tables', author: bob, comments: [{ id: '101', content: 'Yes.', commenter: ann }] },
      { id: '12', title: 'Layers', author: ann, comments: [] },
    ],
  ],
  'GET /posts/11/comments': () => [[{ id: '101', postId: '11', content: 'Yes.' }]],
  'POST /posts/11/comments': (body) => [{ id: '102', postId: '11', ...body }, {}, 201],
  'POST /posts/1/vote': () => [{ id: '1', votes: ++votes }],
  'GET /todos/5': () => [{ id: 5, userId: 1, title: 'Read', completed: false }],
  'GET /users': () => [[{ id: 1, name: 'Ann' }]],
  'GET /members/1': () => [
    { ...ann, createdAt: '2026-01-01T00:00:00Z', posts: [{ id: '10', title: 'Joins', author: '1' }] },
  ],
  'GET /currencies': () => [
    [
      { id: 'ALGO', name: 'Algorand' },
      { id: 'BTC', name: 'Bitcoin' },
      { id: 'ETH', name: 'Ether' },
    ],
  ],
  'GET /stats': () => [
    [
      { product_id: 'ETH-USD', volume: 200_000, price: 3000 },
      { product_id: 'BTC-USD', volume: 20_000, price: 60_000 },
      { product_id: 'ALGO-USD', volume: 5_000_000, price: 0.2 },
    ],
  ],
  'GET /price/BTC-USD': () => [
    { exchangePair: 'BTC-USD', price: '61728.394506172839450617', updatedAt: '2026-11-21T12:00:00Z' },
  ],
  'GET /ann': () => [{ title: 'Speedrun', game: 'Tetris', current_viewers: 12, live: true }],
  'GET /products/BTC-USD/ticker': () => [{ price: '60000', time: '2026-11-21T12:00:00Z' }],
  'GET /streams': () => ['event: ann\nid: 1\ndata: {"title":"Speedrun"}\n\n', { 'Content-Type': 'text/event-stream' }],
  'GET /profiles/1': () => [{ id: 1, first_name: 'Ann', home_address: { zip_code: '12345' } }],
  'PATCH /profiles/1': (body) => [{ id: 1, first_name: body['first_name'], home_address: { zip_code: '12345' } }],
  'GET /files/5/download': () => [
    '%PDF',
    { 'Content-Type': 'application/pdf', 'Content-Disposition': "attachment; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf" },
  ],
  'GET /rows.ndjson': () => [
    '{"id":1,"city":"Zürich"}\n{"id":2,"city":"東京"}\n',
    { 'Content-Type': 'application/x-ndjson' },
  ],
  'GET /feed': () => [
    [
      { id: '1', title: 'One' },
      { id: '2', title: 'Two' },
    ],
    { Link: '</feed?cursor=2>; rel="next"' },
  ],
  'GET /feed?cursor=2': () => [
    [
      { id: '3', title: 'Three' },
      { id: '4', title: 'Four' },
    ],
  ],
  'GET /issues.json?limit=1': () => [
    { issues: [{ id: 7, subject: 'Logo is blurred', status: { id: 1, name: 'New' } }], total_count: 12, limit: 1 },
  ],
  'PUT /issues/7.json': () => [{ issue: { id: 7, subject: 'Logo is blurred', status: { id: 5, name: 'Closed' } } }],
  'GET /tasks': () => [[task]],
  'PATCH /tasks/1': (body) =>
    body['title'] === '' ? [{ title: 'A title is needed.' }, {}, 422] : [{ ...task, ...body }],
};

/** Replaces `fetch` while the snippets run. */
export async function docsFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input);
  const name = `${init.method ?? 'GET'} ${pathname}${search}`;
  const route = routes[name];
  if (route === undefined) throw new Error(`The documents ask for ${name}, which tests/docs-api.ts does not answer.`);
  const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {};
  const [answer, headers = {}, status = 200] = route(body);
  const isText = typeof answer === 'string';
  return new Response(isText ? answer : JSON.stringify(answer), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
}
