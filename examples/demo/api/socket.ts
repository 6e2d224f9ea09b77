import { upgradeWebSocket } from '@hono/node-server';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler } from 'hono';
import { Problem } from './problem.ts';
import type { World } from './route.ts';

const SECOND = 1_000;
const MAX_PRODUCTS = 50;

interface SubscriptionMessage {
  readonly type: 'subscribe' | 'unsubscribe';
  readonly product_ids: readonly string[];
}

function isSubscriptionMessage(value: unknown): value is SubscriptionMessage {
  const { type, product_ids: ids } = Object(value) as Partial<SubscriptionMessage>;
  return (
    (type === 'subscribe' || type === 'unsubscribe') &&
    Array.isArray(ids) &&
    ids.length <= MAX_PRODUCTS &&
    ids.every((id) => typeof id === 'string')
  );
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

/**
 * Sends tickers over a WebSocket. `{ "type": "subscribe", "product_ids": ["BTC-USD"] }` is answered at once, and then once a second
 * for each product, until `unsubscribe`.
 */
export function tickerSocket({ market, clock, simulations }: World): readonly MiddlewareHandler[] {
  const connect = ({ req, env }: Context<{ Bindings: HttpBindings }>) => {
    const wanted = new Set<string>();
    const stops: (() => void)[] = [];
    const session = req.query('session');
    return {
      onOpen(_: Event, socket: { send(text: string): void }) {
        const sendTickers = (): void => {
          for (const id of wanted)
            socket.send(JSON.stringify({ type: 'ticker', product_id: id, ...market.ticker(id) }));
        };
        stops.push(clock.every(SECOND, sendTickers));
        if (session !== undefined) stops.push(simulations.lineOf(session).hold(() => env.incoming.socket.destroy()));
      },
      onMessage({ data }: MessageEvent, socket: { send(text: string): void }) {
        const message = parse(data);
        const refuse = (detail: string): void => socket.send(JSON.stringify({ type: 'error', detail }));
        if (!isSubscriptionMessage(message))
          return refuse('Send { "type": "subscribe" or "unsubscribe", "product_ids": ["BTC-USD"] }.');
        for (const id of message.product_ids) {
          if (message.type === 'unsubscribe') wanted.delete(id);
          else if (!market.has(id)) refuse(`There is no product "${id}".`);
          else if (!wanted.has(id)) {
            wanted.add(id);
            socket.send(JSON.stringify({ type: 'ticker', product_id: id, ...market.ticker(id) }));
          }
        }
      },
      onClose() {
        for (const stop of stops.splice(0)) stop();
      },
    };
  };
  const admit: MiddlewareHandler<{ Bindings: HttpBindings }> = async ({ req, env }, next) => {
    if (req.header('upgrade')?.toLowerCase() !== 'websocket')
      throw new Problem(426, 'This address answers only WebSocket connections.', { headers: { upgrade: 'websocket' } });
    const session = req.query('session');
    if (session === undefined || !simulations.get(session).offline) return next();
    env.incoming.socket.destroy();
    return RESPONSE_ALREADY_SENT;
  };
  return [admit, upgradeWebSocket(connect)];
}
