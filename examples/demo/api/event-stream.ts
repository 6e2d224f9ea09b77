import type { ChannelEvent, Channel } from './channel.ts';
import type { Clock } from './clock.ts';
import type { ApiRequest } from './route.ts';

const HEARTBEAT_MS = 15_000;
/** A listener that is this many events behind is disconnected. It reconnects with its `Last-Event-ID`. */
const MAX_WAITING_EVENTS = 1_000;

export type Send = (event: { readonly id?: string; readonly name: string; readonly data: unknown }) => void;

function format({ id, name, data }: Parameters<Send>[0]): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Server-sent events. `start` begins to send and returns what stops it. */
export function eventStream({ signal }: ApiRequest, clock: Clock, start: (send: Send) => () => void): Response {
  const encoder = new TextEncoder();
  const stops: (() => void)[] = [];
  const stop = (): void => {
    for (const each of stops.splice(0)) each();
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = (): void => {
          stop();
          controller.close();
        };
        const write = (text: string): void => {
          if (stops.length === 0) return;
          controller.enqueue(encoder.encode(text));
          if ((controller.desiredSize ?? 0) < -MAX_WAITING_EVENTS) end();
        };
        signal.addEventListener('abort', end, { once: true });
        stops.push(() => signal.removeEventListener('abort', end));
        write('retry: 1000\n\n');
        stops.push(clock.every(HEARTBEAT_MS, () => write(': still here\n\n')));
        stops.push(start((event) => write(format(event))));
      },
      cancel: stop,
    },
    { highWaterMark: 1 },
  );
  return new Response(stream, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  });
}

/** `Last-Event-ID`; as a query parameter too, for a page that reconnects by itself. */
export const lastEventId = ({ headers, query }: ApiRequest): string | undefined =>
  headers.get('last-event-id') ?? (query['lastEventId'] as string | undefined);

/** Sends all events of a channel. After a reconnection, it first sends the missed events, or `reset`, which means: fetch again. */
export function channelStream(
  request: ApiRequest,
  clock: Clock,
  channel: Channel,
  started?: () => () => void,
): Response {
  return eventStream(request, clock, (send) => {
    const id = lastEventId(request);
    const missed: readonly ChannelEvent[] | undefined = id === undefined ? [] : channel.after(id);
    if (missed === undefined) send({ name: 'reset', data: {} });
    for (const event of missed ?? []) send(event);
    const unsubscribe = channel.subscribe(send);
    const stop = started?.();
    return () => {
      unsubscribe();
      stop?.();
    };
  });
}
