import type { IncomingMessage, ServerResponse } from 'node:http';

/** The requests that the API has received, for tests that count them. */
export const asked: string[] = [];

const users = [
  { id: 'u1', name: 'Ann' },
  { id: 'u2', name: 'Bob' },
];
const posts = [
  { id: '1', title: 'Joins on a server', author: 'u1', likes: 3 },
  { id: '2', title: 'Tables in a stream', author: 'u2', likes: 5 },
  { id: '3', title: '</script><script>alert(1)</script>', author: 'u1', likes: 0 },
];
/** The milliseconds before an answer. Comments of later posts take longer. */
const delays: Readonly<Record<string, number>> = { '1': 120, '2': 300, '3': 600 };

/** A small REST API in the process that renders the page. */
export async function answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
  asked.push(`${request.method} ${path}`);
  const [, , , id = '', part] = path.split('/');
  const post = posts.find((one) => one.id === id);
  if (id !== '' && post === undefined) return void response.writeHead(404).end();
  await new Promise((resolve) => void setTimeout(resolve, part === 'comments' ? (delays[id] ?? 0) : 60));
  if (request.method === 'PATCH' && post !== undefined) Object.assign(post, JSON.parse(await textOf(request)));
  const body = part === 'comments' ? commentsOf(id) : post === undefined ? posts.map(withAuthor) : withAuthor(post);
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
}

function withAuthor({ author, ...post }: (typeof posts)[number]): object {
  return { ...post, author: users.find(({ id }) => id === author) };
}

function commentsOf(post: string): object[] {
  return users.map((commenter, at) => ({
    id: `${post}-${at}`,
    content: `Comment ${at + 1} on post ${post}`,
    commenter,
  }));
}

async function textOf(request: IncomingMessage): Promise<string> {
  // A character can be in two chunks.
  request.setEncoding('utf8');
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
