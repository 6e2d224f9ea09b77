import type { Controller } from 'rejoin';
import { useController } from 'rejoin/react';
import { Link, type LoaderFunctionArgs, Outlet, type RouteObject, useParams } from 'react-router';
import { posts } from './model.ts';
import { PostList, PostPage } from './pages.tsx';

/** Starts the request if the stored data is not fresh. */
function prefetch(controller: Pick<Controller, 'fetchIfStale'>, id: string): void {
  void Promise.resolve(controller.fetchIfStale(posts.get, { id })).catch(() => {});
}

function PostLink({ id, title }: { readonly id: string; readonly title: string }) {
  const controller = useController();
  return (
    <Link to={`/posts/${id}`} onPointerEnter={() => prefetch(controller, id)}>
      {title}
    </Link>
  );
}

const linkTo = (id: string, title: string) => <PostLink id={id} title={title} />;

function Posts() {
  return (
    <main>
      <PostList linkTo={linkTo} />
      <Outlet />
    </main>
  );
}

function PostRoute() {
  const { id = '' } = useParams();
  return <PostPage id={id} />;
}

/** For `createBrowserRouter(routesOf(controller))`. */
export function routesOf(controller: Controller): RouteObject[] {
  // The request is not awaited, so the page opens at once, and shows its own fallback while the request is in flight.
  const loader = ({ params: { id = '' } }: LoaderFunctionArgs): null => {
    prefetch(controller, id);
    return null;
  };
  return [{ path: '/', Component: Posts, children: [{ path: 'posts/:id', Component: PostRoute, loader }] }];
}
