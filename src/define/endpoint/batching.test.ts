import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { User } from '../../../tests/model.ts';
import { rest } from '../../../tests/streams/clock.ts';
import { Controller } from '../../control/controller/controller.ts';
import { batched, type BatchedOptions } from './batching.ts';
import { RecordMissingError } from './batching-session.ts';
import { Endpoint } from './endpoint.ts';
import type { Retry } from './retry.ts';
import { callWith, type Exchange } from './exchange.ts';
import type { EndpointInterface } from './infer-endpoint.ts';

type Many = { readonly ids: readonly string[]; readonly locale?: string };

/** A server that has the users 1 to 9, and a clock that the test advances. */
function world(options: Partial<BatchedOptions<typeof User>> = {}) {
  const calls: Many[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const exchanges: (Exchange | undefined)[] = [];
  const state: { time: number; answer: (many: Many) => Promise<unknown> } = {
    time: 0,
    answer: async ({ ids }) => ids.filter((id) => id.length === 1).map((id) => ({ id, name: `user ${id}` })),
  };
  const timers = new Map<number, () => void>();
  let last = 0;
  const platform = {
    now: () => state.time,
    setTimeout: (run: () => void) => {
      timers.set(++last, run);
      return last;
    },
    clearTimeout: (timer: unknown) => void timers.delete(timer as number),
  };
  const getUsers = new Endpoint(
    function getUsers(this: unknown, many: Many): Promise<unknown> {
      calls.push(many);
      const { signal, exchange } = this as { readonly signal?: AbortSignal; readonly exchange?: Exchange };
      signals.push(signal);
      exchanges.push(exchange);
      return state.answer(many);
    },
    { schema: [User] },
  );
  const getUser = batched(getUsers, { schema: User, platform, session: () => state, ...options });
  const tick = (): void => {
    const due = [...timers];
    timers.clear();
    for (const [, run] of due) run();
  };
  return { calls, signals, exchanges, state, timers, getUsers, getUser, tick };
}

/** The endpoint with an exchange, as the network calls endpoints. */
function inSession<E>(endpoint: E, session: object, given: Partial<Exchange> = {}): E {
  const exchange: Exchange = {
    key: '',
    session,
    signal: new AbortController().signal,
    retry: undefined,
    answered: {},
    stored: () => undefined,
    version: () => undefined,
    enter: () => Promise.reject(new Error('not here')),
    ...given,
  };
  const call = (...args: readonly unknown[]) => callWith(endpoint as EndpointInterface, exchange, args);
  return call as unknown as E;
}

describe('batched', () => {
  it('joins the calls of one tick into one request, and gives each caller its own record', async () => {
    const { calls, getUser, tick } = world();
    const asked = ['3', '1', '2'].map((id) => getUser({ id }));
    expect(calls).toEqual([]);
    tick();
    expect(await Promise.all(asked)).toEqual(['3', '1', '2'].map((id) => ({ id, name: `user ${id}` })));
    expect(calls).toEqual([{ ids: ['3', '1', '2'] }]);
    const later = getUser({ id: '4' });
    tick();
    await later;
    expect(calls[1]).toEqual({ ids: ['4'] });
  });

  it('sends calls without a controller one by one, because they may be of different users', async () => {
    const storage = new AsyncLocalStorage<{ readonly user: string }>();
    const sent: unknown[] = [];
    const getUsers = async ({ ids }: { readonly ids: readonly string[] }) => {
      sent.push([storage.getStore()?.user, ids]);
      return ids.map((id) => ({ id, name: storage.getStore()?.user }));
    };
    const ask = (getUser: (args: { readonly id: string }) => Promise<unknown>): Promise<unknown[]> =>
      Promise.all(contexts.flatMap((context) => ['1', '2'].map((id) => storage.run(context, getUser, { id }))));
    const contexts = [{ user: 'ann' }, { user: 'bob' }];
    const answers = ['ann', 'bob'].flatMap((name) => ['1', '2'].map((id) => ({ id, name })));
    expect(await ask(batched(getUsers, { schema: User }))).toEqual(answers);
    expect(sent).toEqual([
      ['ann', ['1']],
      ['ann', ['2']],
      ['bob', ['1']],
      ['bob', ['2']],
    ]);
    sent.length = 0;
    expect(await ask(batched(getUsers, { schema: User, session: () => storage.getStore() }))).toEqual(answers);
    expect(sent).toEqual([
      ['ann', ['1', '2']],
      ['bob', ['1', '2']],
    ]);
    sent.length = 0;
    await ask(batched(getUsers, { schema: User, session: () => undefined }));
    expect(sent).toHaveLength(4);
  });

  it('requests a record once, however many calls ask for it and whatever type the id has', async () => {
    const { calls, getUser, tick } = world();
    const asked = [getUser({ id: 7 }), getUser({ id: '7' })];
    tick();
    const [one, other] = await Promise.all(asked);
    expect(one).toBe(other);
    expect(calls).toEqual([{ ids: ['7'] }]);
    expect(getUser.key({ id: 7 })).toBe(getUser.key({ id: '7' }));
    expect(getUser.key({ id: 7 })).toBe('one of getUsers [{"id":"7"}]');
  });

  it('requests at most max records at once', async () => {
    const { calls, timers, getUser, tick } = world({ max: 2 });
    const asked = ['1', '2', '3', '4', '5'].map((id) => getUser({ id }));
    expect(calls.map(({ ids }) => ids)).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
    tick();
    expect(calls[2]).toEqual({ ids: ['5'] });
    expect(await Promise.all(asked)).toHaveLength(5);
    expect(timers.size).toBe(0);
  });

  it('makes an endpoint that is read like any other, with its own schema', () => {
    const { getUser } = world({ name: 'getUser' });
    expect(getUser.schema).toBe(User);
    expect(getUser.sideEffect).toBeUndefined();
    expect(getUser.testKey(getUser.key({ id: '1' }))).toBe(true);
    expect(getUser.key({ id: '1' })).toBe('getUser [{"id":"1"}]');
  });

  it('groups calls by their other arguments, and passes these on', async () => {
    const { calls, getUser, tick } = world();
    const asked = [getUser({ id: '1', locale: 'de' }), getUser({ id: '1' }), getUser({ id: '2', locale: 'de' })];
    tick();
    await Promise.all(asked);
    expect(calls).toEqual([{ locale: 'de', ids: ['1', '2'] }, { ids: ['1'] }]);
  });

  it('finds records by the named argument, in the list that the option returns', async () => {
    const calls: unknown[] = [];
    const getStreams = async (args: unknown): Promise<unknown> => {
      calls.push(args);
      return { list: [null, 'x', { username: 5 }, { username: true }, { username: 'ann' }] };
    };
    const getStream = batched(getStreams, {
      schema: undefined,
      argument: 'username',
      many: 'usernames',
      records: ({ list }: { list: unknown[] }) => list,
      session: () => calls,
    });
    expect(await Promise.all([getStream({ username: 'ann' }), getStream({ username: 5 })])).toEqual([
      { username: 'ann' },
      { username: 5 },
    ]);
    expect(calls).toEqual([{ usernames: ['ann', '5'] }]);
  });

  it('fails only the call whose record the server did not return', async () => {
    const { getUser, tick } = world();
    const there = getUser({ id: '1' });
    const absent = getUser({ id: '10' });
    tick();
    expect(await there).toMatchObject({ name: 'user 1' });
    const error: unknown = await absent.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RecordMissingError);
    expect(error).toMatchObject({ code: 'record-missing', status: 404, entity: 'User' });
    expect(String(error)).toContain('The server gave no User for 10. It was deleted, or is not for this user.');
  });

  it('names the endpoint in errors if there is no entity', async () => {
    const getNone = batched(async () => [], { schema: undefined, name: 'getNone' });
    await expect(getNone({ id: '1' })).rejects.toMatchObject({ entity: 'getNone' });
  });

  it('fails only the calls whose request failed', async () => {
    const { state, getUser } = world({ max: 1 });
    const answer = state.answer;
    state.answer = (many) => (many.ids[0] === '1' ? Promise.reject(new Error('down')) : answer(many));
    const [failed, fine] = await Promise.allSettled([getUser({ id: '1' }), getUser({ id: '2' })]);
    expect(failed).toMatchObject({ status: 'rejected', reason: new Error('down') });
    expect(fine).toMatchObject({ status: 'fulfilled', value: { id: '2' } });
    state.answer = answer;
    expect(await getUser({ id: '1' })).toMatchObject({ id: '1' });
  });

  it.each([
    [null, 'null'],
    [{}, 'object'],
  ] as const)('refuses %j instead of a list', async (response, named) => {
    const { state, getUser, tick } = world();
    state.answer = async () => response;
    const asked = getUser({ id: '1' });
    tick();
    await expect(asked).rejects.toMatchObject({ code: 'batch-response-invalid' });
    await expect(asked).rejects.toThrow(`returned ${named} instead`);
  });

  it.each([{ max: 0 }, { max: Number.NaN }, { negativeFor: -1 }, { negativeFor: Number.NaN }])(
    'refuses %j',
    (options) => {
      expect(() => world(options)).toThrow(expect.objectContaining({ code: 'batch-option-invalid' }));
    },
  );
});

describe('a batched endpoint in a session', () => {
  it('does not request a missing record again until its time has passed', async () => {
    const { calls, state, getUser, tick } = world();
    const getMine = inSession(getUser, {});
    const ask = async (id: string): Promise<unknown> => {
      const asked = getMine({ id }).catch((error: unknown) => error);
      tick();
      return asked;
    };
    await ask('10');
    state.time = 59_999;
    expect(await ask('10')).toBeInstanceOf(RecordMissingError);
    await ask('11');
    expect(calls.map(({ ids }) => ids)).toEqual([['10'], ['11']]);
    state.time = 60_000;
    await ask('10');
    expect(calls).toHaveLength(3);
    await ask('10');
    expect(calls).toHaveLength(3);
    // The clock is set back: what it says of the past is not to be relied on.
    state.time = 5;
    await ask('10');
    expect(calls).toHaveLength(4);
  });

  it('requests a record again that the server gave, also in one request with a missing one', async () => {
    const { calls, getUser, tick } = world();
    const getMine = inSession(getUser, {});
    const ask = async (...ids: readonly string[]): Promise<unknown> => {
      const asked = Promise.allSettled(ids.map((id) => getMine({ id })));
      tick();
      return (await asked).map(({ status }) => status);
    };
    expect(await ask('1', '10')).toEqual(['fulfilled', 'rejected']);
    expect(await ask('1', '10')).toEqual(['fulfilled', 'rejected']);
    expect(calls.map(({ ids }) => ids)).toEqual([['1', '10'], ['1']]);
  });

  it('forgets missing records with the session, and shares none with another session', async () => {
    const { calls, getUser, tick } = world();
    const [first, second] = [{}, {}];
    const asked = [
      inSession(getUser, first)({ id: '10' }),
      inSession(getUser, first)({ id: '1' }),
      inSession(getUser, second)({ id: '10' }),
      getUser({ id: '10' }),
    ];
    tick();
    await Promise.allSettled(asked);
    expect(calls.map(({ ids }) => ids)).toEqual([['10', '1'], ['10'], ['10']]);
    // Called without a session, it remembers nothing.
    const again = getUser({ id: '10' });
    tick();
    await again.catch(() => {});
    expect(calls).toHaveLength(4);
  });

  it('remembers missing records by all arguments', async () => {
    const { calls, getUser, tick } = world();
    const session = {};
    for (const locale of ['de', 'en']) {
      const asked = inSession(getUser, session)({ id: '10', locale });
      tick();
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await asked.catch(() => {});
    }
    expect(calls).toHaveLength(2);
  });

  it('remembers at most ten thousand missing records', async () => {
    const { calls, getUser, tick } = world({ max: 20_000 });
    const session = {};
    const getMine = (args: { id: string }) => inSession(getUser, session)(args);
    const ids = Array.from({ length: 10_001 }, (_, at) => String(at + 100));
    const asked = Promise.allSettled(ids.map((id) => getMine({ id })));
    tick();
    await asked;
    const again = Promise.allSettled(['100', '101'].map((id) => getMine({ id })));
    tick();
    await again;
    expect(calls[1]).toEqual({ ids: ['100'] });
  });

  it('sends its requests with its own exchange and the settings of the session', async () => {
    const { exchanges, signals, getUser, getUsers, tick } = world();
    const stored = { url: 'x', key: 'x', etag: 'x', lastModified: undefined };
    const session = {};
    const retry: Retry = (attempt) => attempt();
    const given: Partial<Exchange> = { key: 'one', retry, stored: () => stored, version: () => stored };
    const asked = inSession(getUser, session, given)({ id: '1' });
    tick();
    await asked;
    expect(exchanges[0]).toMatchObject({ session, retry, key: getUsers.key({ ids: ['1'] }), answered: {} });
    expect(exchanges[0]?.signal).toBe(signals[0]);
    expect([exchanges[0]?.stored(), exchanges[0]?.version('x')]).toEqual([undefined, undefined]);
  });

  it('leaves the batch when its request has ended or was aborted', async () => {
    const { calls, signals, state, getUser, tick } = world();
    state.answer = () => new Promise(() => {});
    const [over, aborted] = [new AbortController(), new AbortController()];
    const session = {};
    const asked = Promise.allSettled([
      inSession(getUser, session, { signal: over.signal })({ id: '1' }),
      inSession(getUser.extend({ signal: aborted.signal }), session)({ id: '2' }),
    ]);
    tick();
    expect(calls).toEqual([{ ids: ['1', '2'] }]);
    over.abort(new Error('over'));
    expect(signals[0]?.aborted).toBe(false);
    aborted.abort(new Error('aborted'));
    expect(signals[0]?.reason).toEqual(new Error('aborted'));
    expect(await asked).toMatchObject([{ reason: new Error('over') }, { reason: new Error('aborted') }]);
  });

  it('runs an overridden fetch, which can call the original one', async () => {
    const { getUser, tick } = world();
    const { fetch } = getUser;
    const shouting = getUser.extend({
      async fetch(this: unknown, args: { id: string }) {
        const user = (await Reflect.apply(fetch, this, [args])) as { name: string };
        return { ...user, name: user.name.toUpperCase() };
      },
    });
    const asked = inSession(shouting, {})({ id: '1' });
    tick();
    expect(await asked).toEqual({ id: '1', name: 'USER 1' });
  });
});

describe('a batched call that is aborted', () => {
  it('leaves the batch, which continues for the other calls', async () => {
    const { calls, getUser, tick } = world();
    const abort = new AbortController();
    const left = getUser.extend({ signal: abort.signal })({ id: '1' });
    const stays = getUser({ id: '2' });
    abort.abort(new Error('left'));
    tick();
    await expect(left).rejects.toThrow('left');
    expect(await stays).toMatchObject({ id: '2' });
    expect(calls).toEqual([{ ids: ['2'] }]);
  });

  it('leaves its record to other calls that need it', async () => {
    const { calls, getUser, tick } = world();
    const abort = new AbortController();
    const left = getUser.extend({ signal: abort.signal })({ id: '1' });
    const stays = getUser({ id: '1' });
    abort.abort();
    tick();
    await expect(left).rejects.toMatchObject({ name: 'AbortError' });
    expect(await stays).toMatchObject({ id: '1' });
    expect(calls).toHaveLength(1);
  });

  it('aborts the request in flight if it was the last call that waited for it', async () => {
    const { signals, state, getUser, tick } = world();
    state.answer = () => new Promise(() => {});
    const aborts = [new AbortController(), new AbortController()];
    const asked = aborts.map(({ signal }, at) => getUser.extend({ signal })({ id: String(at) }));
    const settled = Promise.allSettled(asked);
    tick();
    aborts[0]?.abort();
    expect(signals[0]?.aborted).toBe(false);
    aborts[1]?.abort(new Error('gone'));
    expect(signals[0]?.aborted).toBe(true);
    expect(signals[0]?.reason).toEqual(new Error('gone'));
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('does not fail calls that come after all others have left', async () => {
    const { calls, signals, state, getUser, tick } = world();
    const abort = new AbortController();
    const left = getUser.extend({ signal: abort.signal })({ id: '1' });
    abort.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    const late = getUser({ id: '1' });
    tick();
    expect(await late).toMatchObject({ id: '1' });
    expect(calls).toHaveLength(1);
    expect(signals[0]?.aborted).toBe(false);
    // The same while the call is in flight and another one has begun.
    state.answer = () => new Promise(() => {});
    const [one, other] = [new AbortController(), new AbortController()];
    const sent = getUser.extend({ signal: one.signal })({ id: '1' });
    tick();
    const waiting = getUser.extend({ signal: other.signal })({ id: '2' });
    one.abort(new Error('one'));
    await expect(sent).rejects.toThrow('one');
    void getUser({ id: '3' });
    tick();
    expect(calls.slice(2)).toEqual([{ ids: ['2', '3'] }]);
    other.abort(new Error('other'));
    await expect(waiting).rejects.toThrow('other');
  });

  it('sends nothing if no call is left, or if the call was aborted before', async () => {
    const { calls, timers, getUser, tick } = world();
    const abort = new AbortController();
    const left = getUser.extend({ signal: abort.signal })({ id: '1' });
    abort.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    tick();
    await expect(getUser.extend({ signal: abort.signal })({ id: '2' })).rejects.toThrow('left');
    expect([calls.length, timers.size]).toEqual([0, 0]);
  });

  it('stops listening to a signal after it has its answer', async () => {
    const { state, getUser, tick } = world();
    let listeners = 0;
    const { signal } = new AbortController();
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    Object.assign(signal, {
      addEventListener: (...args: Parameters<typeof add>) => ((listeners += Number(args[0] === 'abort')), add(...args)),
      removeEventListener: (...args: Parameters<typeof remove>) => (
        (listeners -= Number(args[0] === 'abort')),
        remove(...args)
      ),
    });
    const answered = getUser.extend({ signal })({ id: '1' });
    tick();
    await answered;
    state.answer = () => Promise.reject(new Error('down'));
    const failed = getUser.extend({ signal })({ id: '1' });
    tick();
    await expect(failed).rejects.toThrow('down');
    expect(listeners).toBe(0);
  });
});

describe('a batched endpoint and a controller', () => {
  it('gives every reader its record, and requests a missing one once in a session', async () => {
    const { calls, getUser, tick } = world();
    const controller = new Controller();
    const ask = async (...ids: string[]): Promise<PromiseSettledResult<unknown>[]> => {
      const asked = Promise.allSettled(ids.map((id) => controller.fetch(getUser, { id })));
      await rest();
      tick();
      return asked;
    };
    const [one, other, absent] = await ask('1', '2', '10');
    expect(one).toMatchObject({ value: expect.any(User) });
    expect(controller.get(User, { id: '1' })).toBe((one as { value: unknown }).value);
    expect(controller.get(User, { id: '2' })).toBe((other as { value: unknown }).value);
    expect(absent).toMatchObject({ reason: { code: 'record-missing' } });
    expect(controller.getError(getUser, { id: '10' })).toMatchObject({ status: 404 });
    await ask('10');
    expect(calls).toHaveLength(1);
    await controller.resetEntireStore();
    await ask('10');
    expect(calls).toHaveLength(2);
    controller.dispose();
  });
});

it.each([undefined, null, '', Number.NaN, 2 ** 53, {}])(
  '%j in place of an id is an error, and nothing is sent',
  async (id) => {
    const { calls, getUser } = world();
    const controller = new Controller();
    const args = { id } as unknown as { id: string };
    const refusal = expect.objectContaining({ code: 'param-invalid', path: 'id' });
    await expect(controller.fetch(getUser, args)).rejects.toEqual(refusal);
    await expect(getUser(args)).rejects.toEqual(refusal);
    await expect(controller.fetch(getUser, undefined as never)).rejects.toEqual(refusal);
    expect(calls).toEqual([]);
  },
);

it('finds a record whose id has more digits than a number can', async () => {
  const { getUser, state, tick } = world();
  state.answer = async () => [{ id: 12_345_678_901_234_567_890n, name: 'Ann' }];
  const controller = new Controller();
  const user = controller.fetch(getUser, { id: '12345678901234567890' });
  await rest();
  tick();
  expect((await user).name).toBe('Ann');
});
