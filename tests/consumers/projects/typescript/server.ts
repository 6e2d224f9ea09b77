// The part of the application that runs in Node, without the global names of a browser: it imports every entry, and sets headers of every form.
import { Controller, RestEndpoint, type RestGenerics, serverSentEvents } from 'rejoin';
import * as hooks from 'rejoin/react';
import * as ssr from 'rejoin/ssr';
import * as testing from 'rejoin/testing';
import { Post, posts, use } from './model.js';

class SignedEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override async getHeaders(headers: Record<string, string>) {
    return { ...headers, Authorization: await Promise.resolve('Bearer key') };
  }
}
export const signed = new SignedEndpoint({ path: '/posts/:id', schema: Post });
export const asHeaders = posts.get.extend({ getHeaders: (headers: Record<string, string>) => new Headers(headers) });
export const asList = posts.get.extend({ getHeaders: () => [['Accept', 'application/json']] });
// @ts-expect-error a number is not a header
export const asNumber = posts.get.extend({ getHeaders: () => 5 });
export const stream = serverSentEvents('https://api.example.com/events', { headers: () => new Headers() });

export const titleOf = (): Promise<string> => use(new Controller());
export const entryPoints = { hooks, ssr, testing };
