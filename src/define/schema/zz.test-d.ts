import { All } from './all.ts';
import { Entity } from './entity.ts';
import type { Denormalize, Loose } from './infer.ts';
class Post extends Entity { id = ''; title = ''; likes = 0 }
class Q1<S, P extends (value: Denormalize<S>, ...args: Loose) => unknown> { constructor(s: S, p: P) { void s; void p; } declare t: P }
class Q2<S, V, A extends Loose[]> { constructor(s: S, p: (value: Denormalize<S>, ...args: A) => V) { void s; void p; } declare t: (...args: A) => V }
class Q3<S, P extends (value: Denormalize<S>, ...args: Loose) => unknown> { constructor(s: S, p: P & ((value: Denormalize<S>, ...args: Loose[]) => unknown)) { void s; void p; } declare t: P }
export const a = new Q1(new All(Post), (posts, { by }: { by: 'title' | 'likes' }) => [...posts].sort((a, b) => (a[by] < b[by] ? -1 : 1))).t;
export const b = new Q2(new All(Post), (posts, { by }: { by: 'title' | 'likes' }) => [...posts].sort((a, b) => (a[by] < b[by] ? -1 : 1))).t;
export const b2 = new Q2(new All(Post), (posts) => posts[0]).t;
export const b3 = new Q2(new All(Post), (posts, { by }: { by?: 'title' | 'likes' } = {}) => [posts, by] as const).t;
export const c = new Q3(new All(Post), (posts, { by }: { by: 'title' | 'likes' }) => [...posts].sort((a, b) => (a[by] < b[by] ? -1 : 1))).t;
export const n1: number = b; export const n2: number = b2; export const n3: number = b3;
