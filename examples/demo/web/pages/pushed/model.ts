import { Entity, RestEndpoint, serverSentEvents, StreamManager, type StreamOptions, webSocket } from 'rejoin';
import { session } from '../../net/session.ts';
import { Connection } from './connection.ts';

class Quote extends Entity {
  product_id = '';
  trade_id = 0;
  price = 0;
  pk() {
    return this.product_id;
  }
  static key = 'Quote';
  static schema = { price: Number };
}

interface Product {
  readonly productId: string;
}

// Fetched once; later values come over the WebSocket.
export const getQuote = new RestEndpoint({
  urlPrefix: '/api',
  path: '/products/:productId/ticker',
  schema: Quote,
  pollFrequency: 2000,
  process(value: object, { productId }: Product) {
    return { ...value, product_id: productId };
  },
});

class Post extends Entity {
  id = '';
  title = '';
  votes = 0;
  static key = 'Ballot';
}

export const getBallots = new RestEndpoint({
  urlPrefix: '/api',
  path: '/posts',
  searchParams: {} as { perPage: number },
  schema: [Post],
  pollFrequency: 60_000,
});

export const socket = new Connection();
export const events = new Connection();

/** Options of a stream that report the state of its connection. */
const watchedBy = (connection: Connection): Pick<StreamOptions, 'onOpen' | 'onError' | 'reconnect'> => ({
  onOpen: () => connection.opened(),
  onError: () => connection.closed(),
  reconnect: { baseDelay: 2000 },
});

const message = (type: string, { productId }: Product): string => JSON.stringify({ type, product_ids: [productId] });

/** Quotes over a WebSocket instead of polls, while a component shows one. */
const quotes = new StreamManager(
  webSocket(() => `ws://${location.host}/api/socket?session=${session}`),
  {
    ...watchedBy(socket),
    covers: ({ endpoint }) => endpoint === getQuote,
    onSubscribe: (connection, { args }) => connection.send?.(message('subscribe', args[0] as Product)),
    onUnsubscribe: (connection, { args }) => connection.send?.(message('unsubscribe', args[0] as Product)),
    write: ({ data }) => {
      const value = data as { readonly product_id: string };
      return { endpoint: getQuote, args: [{ productId: value.product_id }], value };
    },
  },
);

interface Change {
  readonly entity: string;
  readonly value?: object;
}

/** Changes by any user, as server-sent events. After a lost connection they continue with the missed events. */
const changes = new StreamManager(serverSentEvents('/api/events'), {
  ...watchedBy(events),
  covers: ({ endpoint }) => endpoint === getBallots,
  write: ({ data }) => {
    const { entity, value } = data as Change;
    return entity === 'Post' && value !== undefined ? { schema: Post, value } : undefined;
  },
});

/** These managers come before the other managers of the application. */
export const streams: readonly StreamManager[] = [quotes, changes];
