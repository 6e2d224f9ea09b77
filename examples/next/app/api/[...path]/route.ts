interface Context {
  readonly params: Promise<{ readonly path: readonly string[] }>;
}

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
/** The requests since the last count. */
let asked: string[] = [];

/** A small REST API in the same application. */
async function answer(request: Request, { params }: Context): Promise<Response> {
  const [kind, id = '', part] = (await params).path;
  if (kind === 'asked') {
    const all = asked;
    asked = [];
    return Response.json(all);
  }
  asked.push(`${request.method} ${new URL(request.url).pathname}`);
  const post = posts.find((one) => one.id === id);
  if (kind !== 'posts' || (id !== '' && post === undefined)) return new Response(null, { status: 404 });
  await new Promise((resolve) => void setTimeout(resolve, part === 'comments' ? (delays[id] ?? 0) : 60));
  if (request.method === 'PATCH' && post !== undefined) Object.assign(post, await request.json());
  if (part === 'comments') return Response.json(commentsOf(id));
  return Response.json(post === undefined ? posts.map(withAuthor) : withAuthor(post));
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

export { answer as GET, answer as PATCH };
