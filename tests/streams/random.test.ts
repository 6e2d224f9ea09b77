import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  Controller,
  Endpoint,
  Entity,
  PollingSubscription,
  StreamManager,
  type StreamEvents,
  SubscriptionManager,
} from '../../src/index.ts';
import { Clock, rest, Switch } from './clock.ts';

class Ticker extends Entity {
  id = '';
  price = 0;
  static override key = 'Ticker';
}

const IDS = ['a', 'b', 'c'];

type Step =
  | { readonly do: 'open' | 'alive' | 'break' | 'end' | 'offline' | 'online' | 'reset' | 'reopen' }
  | { readonly do: 'say'; readonly id: string }
  | { readonly do: 'subscribe' | 'unsubscribe'; readonly id: string }
  | { readonly do: 'pass'; readonly time: number };

const plain = fc
  .constantFrom<'open' | 'alive' | 'break' | 'end' | 'offline' | 'online' | 'reset' | 'reopen'>(
    'open',
    'open',
    'alive',
    'break',
    'end',
    'offline',
    'online',
    'online',
    'reset',
    'reopen',
  )
  .map((name): Step => ({ do: name }));
const about = fc
  .tuple(
    fc.constantFrom('say' as const, 'say' as const, 'subscribe' as const, 'unsubscribe' as const),
    fc.constantFrom(...IDS),
  )
  .map(([name, id]): Step => ({ do: name, id }));
const passing = fc.constantFrom(1, 16, 500, 40_000).map((time): Step => ({ do: 'pass', time }));
const steps = fc.array(
  fc.oneof({ weight: 3, arbitrary: plain }, { weight: 4, arbitrary: about }, { weight: 3, arbitrary: passing }),
  {
    maxLength: 60,
  },
);

/** A server that records its open connections, and the messages that it has sent in each session. */
class Server {
  readonly open = new Set<StreamEvents>();
  most = 0;
  latest: StreamEvents | undefined;

  readonly source = (events: StreamEvents): { close: () => void } => {
    this.open.add(events);
    this.latest = events;
    this.most = Math.max(this.most, this.open.size);
    return { close: () => void this.open.delete(events) };
  };
}

const getTicker = new Endpoint(async (id: string) => ({ id, price: -1 }), { name: 'getTicker', schema: Ticker });

async function play(sequence: readonly Step[], isServing: boolean): Promise<void> {
  const [clock, network, server] = [new Clock(), new Switch(), new Server()];
  const stream = new StreamManager(server.source, {
    write: ({ data }) => ({ schema: Ticker, value: data }),
    keyOf: ({ data }) => (data as Ticker).id,
    capacity: 2,
    heartbeat: 30_000,
    onError: () => {},
    presence: network,
    platform: clock,
    ...(isServing && { covers: () => true }),
  });
  const controller = new Controller({ managers: [stream], now: clock.now });
  const subscribed = new Map<string, number>();
  /** The last message of each record that arrived in this session. */
  const said = new Map<string, number>();
  let price = 0;
  const priceOf = (id: string): number | undefined => controller.get(Ticker, { id })?.price;
  for (const step of sequence) {
    const events = server.latest;
    const isHeard = events !== undefined && server.open.has(events);
    switch (step.do) {
      case 'open':
        events?.opened();
        break;
      case 'alive':
        events?.alive();
        break;
      case 'break':
        events?.closed({ error: new Error('broken') });
        break;
      case 'end':
        events?.closed({ isFinal: true });
        break;
      case 'say':
        events?.message({ type: 'message', data: JSON.stringify({ id: step.id, price: ++price }) });
        if (isHeard) said.set(step.id, price);
        break;
      case 'offline':
      case 'online':
        network.turn(step.do === 'online');
        break;
      case 'reset':
        // oxlint-disable-next-line no-await-in-loop -- one step after the other
        await controller.resetEntireStore();
        said.clear();
        break;
      case 'reopen':
        stream.open();
        break;
      case 'subscribe':
        subscribed.set(step.id, (subscribed.get(step.id) ?? 0) + 1);
        // oxlint-disable-next-line no-await-in-loop
        await controller.subscribe(getTicker, step.id);
        break;
      case 'unsubscribe':
        if ((subscribed.get(step.id) ?? 0) === 0) break;
        subscribed.set(step.id, (subscribed.get(step.id) ?? 0) - 1);
        // oxlint-disable-next-line no-await-in-loop
        await controller.unsubscribe(getTicker, step.id);
        break;
      default:
        // oxlint-disable-next-line no-await-in-loop
        await clock.pass(step.time);
    }
    expect(server.open.size).toBeLessThanOrEqual(1);
    if (!network.isOn) expect(server.open.size).toBe(0);
    for (const id of IDS) {
      const shown = priceOf(id);
      // No value of an earlier session, and no value newer than the last message.
      if (shown !== undefined) expect(shown).toBeLessThanOrEqual(said.get(id) ?? -1);
    }
  }
  await clock.pass(2000);
  // The newest message of all is stored.
  const [newest] = [...said].toSorted(([, one], [, other]) => other - one);
  if (newest !== undefined) expect(priceOf(newest[0])).toBe(newest[1]);
  controller.dispose();
  await rest();
  expect([server.open.size, clock.timers.size, network.listeners.size]).toEqual([0, 0, 0]);
}

describe('a stream, in random orders of events,', () => {
  test.each([false, true])(
    'has at most one connection, shows no message of another session, never loses the latest message, and ends (serving: %s)',
    { timeout: 600_000 },
    async (isServing) => {
      const property = fc.asyncProperty(steps, (sequence) => play(sequence, isServing));
      const numRuns = Number(process.env['RUNS_STREAMS'] ?? 150);
      await expect(fc.assert(property, { numRuns })).resolves.toBeUndefined();
    },
  );
});

describe('polls of one request key, in random orders of events,', () => {
  test('never overlap, are never sent too early, and end', async () => {
    const actions = fc.array(
      fc.oneof(
        fc.record({
          do: fc.constantFrom('subscribe' as const, 'unsubscribe' as const),
          frequency: fc.constantFrom(100, 1000, Infinity),
        }),
        fc.record({
          do: fc.constantFrom(
            'offline' as const,
            'online' as const,
            'answer' as const,
            'fail' as const,
            'back' as const,
          ),
        }),
        fc.record({ do: fc.constant('pass' as const), time: fc.constantFrom(1, 99, 100, 2500) }),
      ),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(actions, async (sequence) => {
        const [clock, network] = [new Clock(), new Switch()];
        clock.time = 1e9;
        class Polling extends PollingSubscription {
          constructor(...[subscribed, controller]: ConstructorParameters<typeof PollingSubscription>) {
            super(subscribed, controller, { platform: clock, presence: network });
          }
        }
        const controller = new Controller({ managers: [new SubscriptionManager(Polling)], now: clock.now });
        let settle: ((ok: boolean) => void) | undefined;
        let answeredAt = Number.NEGATIVE_INFINITY;
        let elapsed = 0;
        const counts = new Map<number, number>();
        const price = new Endpoint(
          () => {
            expect(settle).toBeUndefined();
            expect(network.isOn).toBe(true);
            return new Promise<number>((resolve, reject) => {
              settle = (ok) => {
                settle = undefined;
                answeredAt = elapsed;
                if (ok) resolve(1);
                else reject(new Error('down'));
              };
            });
          },
          { name: 'price' },
        );
        for (const step of sequence) {
          if (step.do === 'pass') {
            for (let passed = 0; passed < step.time; passed++) {
              const wasAsked = settle !== undefined;
              // oxlint-disable-next-line no-await-in-loop -- a millisecond each
              await clock.pass(1);
              elapsed++;
              const wanted = [...counts].filter(([, count]) => count > 0).map(([frequency]) => frequency);
              if (!wasAsked && settle !== undefined)
                expect(elapsed - answeredAt).toBeGreaterThanOrEqual(Math.min(...wanted));
            }
          } else if (step.do === 'subscribe' || step.do === 'unsubscribe') {
            const { frequency } = step;
            const count = counts.get(frequency) ?? 0;
            if (step.do === 'unsubscribe' && count === 0) continue;
            counts.set(frequency, count + (step.do === 'subscribe' ? 1 : -1));
            // oxlint-disable-next-line no-await-in-loop
            await controller[step.do](price.extend({ pollFrequency: frequency }));
          } else if (step.do === 'answer' || step.do === 'fail') {
            settle?.(step.do === 'answer');
            // oxlint-disable-next-line no-await-in-loop
            await rest();
          } else if (step.do === 'back') clock.time -= 5000;
          else network.turn(step.do === 'online');
        }
        controller.dispose();
        await rest();
        expect([clock.timers.size, network.listeners.size]).toEqual([0, 0]);
      }),
      { numRuns: Number(process.env['RUNS_POLLS'] ?? 60) },
    );
  });
});
