const POSTS = [
  { id: '1', title: 'Joins' },
  { id: '2', title: 'Tables' },
  { id: '3', title: 'Relations' },
];

/** A `fetch` that answers as an API with three posts, whose list leaves out the texts. It records the requested paths. */
export function postsApi(): { readonly fetch: typeof fetch; readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    fetch: (input) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      asked.push(pathname);
      const post = POSTS.find(({ id }) => pathname === `/api/posts/${id}`);
      if (post) return Promise.resolve(Response.json({ ...post, body: `All about ${post.title}.` }));
      return Promise.resolve(
        pathname === '/api/posts' ? Response.json(POSTS) : Response.json({ error: 'not found' }, { status: 404 }),
      );
    },
  };
}
