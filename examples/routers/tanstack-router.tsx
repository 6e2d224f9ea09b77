import { createRootRoute, createRoute, createRouter, Link, Outlet, type RouterHistory } from '@tanstack/react-router';
import type { Controller } from 'rejoin';
import { posts } from './model.ts';
import { PostList, PostPage } from './pages.tsx';

const linkTo = (id: string, title: string) => (
  <Link to="/posts/$id" params={{ id }}>
    {title}
  </Link>
);

function Posts() {
  return (
    <main>
      <PostList linkTo={linkTo} />
      <Outlet />
    </main>
  );
}

/** A router that loads a post when the pointer is over its link. Without the argument `history`, it uses the history of the browser. */
export function routerOf(controller: Controller, history?: RouterHistory) {
  const root = createRootRoute({ component: Posts });
  const home = createRoute({ getParentRoute: () => root, path: '/' });
  const post = createRoute({
    getParentRoute: () => root,
    path: '/posts/$id',
    // The request is awaited, so the router keeps the former page until the post has arrived. Only Rejoin decides which data is fresh.
    loader: async ({ params }) => {
      await controller.fetchIfStale(posts.get, { id: params.id });
    },
    component: function PostRoute() {
      return <PostPage id={post.useParams().id} />;
    },
  });
  return createRouter({
    routeTree: root.addChildren([home, post]),
    defaultPreload: 'intent',
    defaultPreloadDelay: 0,
    defaultPreloadStaleTime: 0,
    ...(history && { history }),
  });
}
