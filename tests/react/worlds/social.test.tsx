/** A social network: a feed of posts of several kinds, likes that are clicked fast, comments in trees, profiles, blocks, a search, tabs. */
import * as React from 'react';
import { type ComponentType, type ReactNode, useDeferredValue, useTransition } from 'react';
import { expect, test } from 'vitest';
import { keyOf, type Manager } from 'rejoin';
import { AsyncBoundary, useController, useInfinite, useLive, useMutation, useQuery, useSuspense } from 'rejoin/react';
import type { Random } from '../random.ts';
import { SocialServer } from './social-server.ts';
import { pollingManagers } from './polling-managers.ts';
import { Button, playWorld, useChoice, useIsFresh, World } from './world.tsx';
import type { Watch } from './watch.ts';
import {
  network,
  type User,
  type Post,
  Comment,
  users,
  posts,
  getFeed,
  getPostsOf,
  search,
  getUnread,
  like,
  unlike,
  vote,
  follow,
  unfollow,
  block,
  unblock,
  comments,
  addComment,
  deleteComment,
} from './social-model.ts';

let watch: Watch;
let world: SocialWorld;
const unique = network.next;
const ITEM = / p[\w.]+:\S* u[\w.]+:[^\s\]]*/g;
const nameOf = (kind: string, id: string): string => `${kind}${id.replaceAll(':', '.')}`;
const Activity = (React as { Activity?: ComponentType<{ mode: 'visible' | 'hidden'; children: ReactNode }> }).Activity;

const userText = (user: User | undefined): string =>
  user ? ` u${user.id}:${user.name}/${user.followers}/${user.following}/${user.blocked}` : ' nobody';
const postText = ({ author, comments: count, id, liked, likes, text, vote: chosen }: Post): string =>
  ` ${nameOf('p', id)}:${text}/${liked}/${likes}/${count}/${chosen}${userText(author)}`;

function PostView({ post, open }: { readonly post: Post; readonly open: (id: string) => void }): ReactNode {
  const { mutate: on } = useMutation(like);
  const { mutate: off } = useMutation(unlike);
  const { mutate: choose } = useMutation(vote);
  const { mutate: remove } = useMutation(posts.delete);
  const { id, liked, type } = post;
  const name = nameOf('p', id);
  return (
    <p>
      {postText(post)}
      <Button name={`like ${id}`} onClick={() => watch.edit(name, 1, `${!liked}`, (liked ? off : on)({ id }))} />
      {!id.includes(':') && <Button name={`open ${id}`} onClick={() => open(id)} />}
      {type === 'poll' && <Button name={`vote ${id}`} onClick={() => void choose({ id }, { vote: `v${unique()}` })} />}
      {post.author?.id === '1' && <Button name={`delete ${id}`} onClick={() => watch.remove(name, remove({ id }))} />}
    </p>
  );
}

function Feed({ open }: { readonly open: (id: string) => void }): ReactNode {
  const first = { limit: useIsFresh() ? 1000 : 3 };
  const { fetchNext, hasNext, isFetchingNext, items } = useInfinite(getFeed, first, {
    next: ({ next }, arg) => (next === undefined ? undefined : { ...arg, cursor: next }),
  });
  const { mutate: create } = useMutation(posts.getList.unshift);
  const type = ['text', 'image', 'poll'][unique() % 3] as string;
  return (
    <>
      <Button name="create" onClick={() => void create({ type, text: `t${unique()}`, author: '1' })} />
      {hasNext && !isFetchingNext && <Button name="more" onClick={() => void fetchNext()} />}
      {' posts['}
      {items.map((post) => !post.author?.blocked && <PostView key={keyOf(post)} post={post} open={open} />)}
      {hasNext ? '] more' : ']'}
    </>
  );
}

function CommentView({ comment, postId }: { readonly comment: Comment; readonly postId: string }): ReactNode {
  const replies = useQuery(Comment.replies, comment) ?? [];
  const { mutate: reply } = useMutation(addComment);
  const { mutate: remove } = useMutation(deleteComment);
  const { author, id, text } = comment;
  const name = nameOf('c', id);
  const add = (): void => void reply({ postId }, { text: `t${unique()}`, parentId: id, at: unique() });
  const controller = useController();
  /** No list shows a reply, so nothing else asks the server whether a deletion without an answer was carried out. */
  const removeSurely = async (): Promise<unknown> => {
    const answer = await remove({ id });
    const params = { postId, id };
    const forget = (): unknown => controller.setResponse(comments.delete, params, { id });
    if (answer === undefined) await controller.fetch(comments.get, params).catch(forget);
    return answer;
  };
  return (
    <>
      {` ${name}:${text}`}
      {userText(author)}
      <Button name={`reply ${id}`} onClick={add} />
      {replies.length === 0 && <Button name={`uncomment ${id}`} onClick={() => watch.remove(name, removeSurely())} />}
      {' ('}
      {replies.map((one) => (
        <CommentView key={keyOf(one)} comment={one} postId={postId} />
      ))}
      {')'}
    </>
  );
}

function Discussion({ postId }: { readonly postId: string }): ReactNode {
  const found = useSuspense(posts.get, { id: postId });
  const all = useSuspense(comments.getList, { postId });
  const { mutate: comment } = useMutation(addComment);
  const add = (): void => void comment({ postId }, { text: `t${unique()}`, parentId: null, at: unique() });
  return (
    <>
      {postText(found)}
      {' comments['}
      {all.map((one) => (
        <CommentView key={keyOf(one)} comment={one} postId={postId} />
      ))}
      {']'}
      <Button name="comment" onClick={add} />
    </>
  );
}

function Profile({ id, open }: { readonly id: string; readonly open: (id: string) => void }): ReactNode {
  const user = useSuspense(users.get, { id });
  const all = useSuspense(getPostsOf, { authorId: id });
  const { mutate: rename } = useMutation(users.partialUpdate);
  const { mutate: follows } = useMutation(user.following ? unfollow : follow);
  const { mutate: blocks } = useMutation(user.blocked ? unblock : block);
  const edit = (): void => {
    const name = `n${unique()}`;
    watch.edit(`u${id}`, 0, name, rename({ id }, { name }));
  };
  return (
    <>
      {userText(user)}
      {id === '1' && <Button name="rename" onClick={edit} />}
      {id !== '1' && (
        <Button name="follow" onClick={() => watch.edit(`u${id}`, 2, `${!user.following}`, follows({ id }))} />
      )}
      {id !== '1' && (
        <Button name="block" onClick={() => watch.edit(`u${id}`, 3, `${!user.blocked}`, blocks({ id }))} />
      )}
      {' posts['}
      {all.map((post) => (
        <PostView key={keyOf(post)} post={post} open={open} />
      ))}
      {']'}
    </>
  );
}

function Found({ q, open }: { readonly q: string; readonly open: (id: string) => void }): ReactNode {
  return useSuspense(search, { q }).map((post) => <PostView key={keyOf(post)} post={post} open={open} />);
}

function Search({ open }: { readonly open: (id: string) => void }): ReactNode {
  const [q, type] = useChoice('q', '1');
  const deferred = useDeferredValue(q);
  return (
    <>
      {['1', '2', '3', 't1'].map((one) => (
        <Button key={one} name={`search ${one}`} onClick={() => type(one)} />
      ))}
      {' posts['}
      <AsyncBoundary fallback=" waiting">
        <Found q={deferred} open={open} />
      </AsyncBoundary>
      {']'}
    </>
  );
}

function Tab({ isShown, children }: { readonly isShown: boolean; readonly children: ReactNode }): ReactNode {
  const content = <AsyncBoundary fallback=" waiting">{children}</AsyncBoundary>;
  if (Activity && world.keepsTabs) return <Activity mode={isShown ? 'visible' : 'hidden'}>{content}</Activity>;
  return isShown && content;
}

const Unread = (): ReactNode => ` unread ${useSuspense(getUnread).unread}`;
const LiveUnread = (): ReactNode => ` unread ${useLive(getUnread).unread}`;

function Social(): ReactNode {
  const [tab, go] = useChoice('tab', 'feed');
  const [id, visit] = useChoice('user', '1');
  const [opened, open] = useChoice<string | undefined>('post', undefined);
  const [, startTransition] = useTransition();
  const controller = useController();
  const reload = (): void => {
    world.isBehind = false;
    void controller.expireAll({ testKey: () => true });
  };
  return (
    <>
      {userText(useSuspense(users.get, { id: '1' }))}
      {useIsFresh() ? <Unread /> : <LiveUnread />}
      <Button name="reload" onClick={reload} />
      {['feed', 'user', 'search'].map((one) => (
        <Button key={one} name={`tab ${one}`} onClick={() => startTransition(() => go(one))} />
      ))}
      {['1', '2', '3'].map((one) => (
        <Button key={one} name={`visit ${one}`} onClick={() => startTransition(() => visit(one))} />
      ))}
      <AsyncBoundary key={opened} fallback=" waiting" errorComponent={() => ' failed'}>
        {opened !== undefined && <Discussion postId={opened} />}
      </AsyncBoundary>
      <Tab isShown={tab === 'user'}>
        <Profile id={id} open={open} />
      </Tab>
      <Tab isShown={tab === 'search'}>
        <Search open={open} />
      </Tab>
      <Tab isShown={tab === 'feed'}>
        {' feed'}
        <Feed open={open} />
      </Tab>
    </>
  );
}

class SocialWorld extends World {
  readonly server = new SocialServer(network);
  readonly keepsTabs = this.choice.isLucky(0.5);
  override readonly isStrict = this.choice.isLucky(0.5);
  readonly #hasOther = this.choice.isLucky(0.3);

  constructor(seed: number) {
    super(seed, network);
    ({ watch } = this);
  }

  override managers(): readonly Manager[] {
    return pollingManagers(network);
  }

  override page(): ReactNode {
    return <Social />;
  }

  /** The feed of a fresh page has one long page. */
  override comparable(text: string, other: string): string {
    const [head = '', items = ''] = text.split(' feed posts[');
    const shown = items.match(ITEM) ?? [];
    const count = other.split(' feed posts[')[1]?.match(ITEM)?.length ?? 0;
    const isPart = text.endsWith('more') || other.endsWith('more');
    return head + shown.slice(0, isPart ? Math.min(shown.length, count) : shown.length).join('');
  }

  override other(choice: Random): string | undefined {
    if (!this.#hasOther) return undefined;
    this.isBehind = true;
    return super.other(choice);
  }
}

test('a feed, a profile, a search and a discussion show what the server has', { timeout: 3_600_000 }, async () => {
  expect(await playWorld((seed) => (world = new SocialWorld(seed)), 24)).toEqual({ failed: [], least: undefined });
});
