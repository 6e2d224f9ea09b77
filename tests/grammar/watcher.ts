import type { Answer, Controller } from 'rejoin';
import type { Random } from '../oracle/random.ts';
import { BrokenLaw, isByChance, isSame, type Outcome, outcomeOf, showOutcome } from './compare.ts';
import { ProgramError, type Watching, type World } from './world.ts';

/** The action of a listener when it is called. */
export type Habit = 'read' | 'count' | 'throw' | 'subscribe again' | 'unsubscribe' | 'write' | 'read others';

/** No program has a reason for more calls in one step. */
const TOO_MANY = 300;

interface Source {
  readonly name: string;
  read(): unknown;
  subscribe(onChange: () => void): () => void;
}

/** An observer of a value. */
export class Watcher implements Watching {
  readonly name: string;
  readonly habit: Habit;
  readonly source: Source;
  readonly #world: World;
  #stop: () => void = () => {};
  /** The last read value, and the revision of the store at that time. */
  last: Outcome = { value: undefined };
  revision = 0;
  /** Calls since the last read. */
  notifications = 0;
  isLive = true;

  constructor(world: World, source: Source, habit: Habit) {
    this.#world = world;
    this.name = source.name;
    this.source = source;
    this.habit = habit;
    this.#subscribe();
    this.#take(this.read());
    world.watchers.add(this);
  }

  #subscribe(): void {
    this.#stop = this.source.subscribe(() => this.#onChange());
  }

  stop(): void {
    this.isLive = false;
    this.#world.watchers.delete(this);
    this.#stop();
  }

  read(): Outcome {
    return outcomeOf(() => this.source.read());
  }

  #take(outcome: Outcome): void {
    this.last = outcome;
    this.notifications = 0;
    this.revision = this.#world.revision;
  }

  #onChange(): void {
    const world = this.#world;
    this.notifications++;
    if (++world.calls > TOO_MANY) {
      world.broken ??= new BrokenLaw('L5', `the listener of ${this.name} is called without end`);
      return;
    }
    if (!this.isLive) world.broken ??= new BrokenLaw('L5', `a listener of ${this.name} was called after it had ended`);
    this.#act();
  }

  #act(): void {
    const world = this.#world;
    switch (this.habit) {
      case 'read':
        return this.#take(this.read());
      case 'throw':
        throw new ProgramError('listener');
      case 'subscribe again':
        return this.#subscribeAgain();
      case 'unsubscribe':
        return this.stop();
      case 'write':
        if (world.nested++ < 3)
          world.attempt(() =>
            world.store.write(
              world.model.Tag,
              { id: '1', label: `x${world.nested}` },
              { expiresAt: world.now + 60_000 },
            ),
          );
        return;
      case 'read others':
        for (const other of world.watchers) if (other !== this) other.read();
        return;
      default:
    }
  }

  #subscribeAgain(): void {
    this.#stop();
    this.#stop = () => {};
    try {
      this.#subscribe();
    } catch (error) {
      this.stop();
      this.#world.judgeError(error);
    }
  }

  /** Observers are not notified of changes by time alone. */
  retake(): void {
    this.#take(this.read());
  }

  /** Throws if the value has changed without a notice. */
  judge(): void {
    const now = this.read();
    const { last, notifications, name } = this;
    // A read that failed by chance may succeed when it is tried again.
    const isRetried = isByChance(last) || isByChance(now);
    if (notifications === 0 && !isRetried && !isSame(last, now))
      throw new BrokenLaw(
        'L2',
        `${name} changed from ${showOutcome(last)} to ${showOutcome(now)}, and its listener was not called`,
      );
    this.#take(now);
  }
}

/** A live query of the store. */
export function storeSource(world: World, name: string, schema: unknown, args: readonly unknown[]): Source {
  const readable = world.store.query(schema as never, args as never);
  return { name: `store.query(${name})`, read: readable.current, subscribe: readable.subscribe };
}

/** A view of a controller, of an endpoint or a queryable. */
export function viewSource(controller: Controller, name: string, what: unknown, args: readonly unknown[]): Source {
  const view = controller.view(what as never, ...(args as never));
  return { name: `controller.view(${name})`, read: () => valueIn(view.current()), subscribe: view.subscribe };
}

/** `controller.watch`, which hands over the answers itself. */
export function watchSource(controller: Controller, name: string, what: unknown, args: readonly unknown[]): Source {
  let latest: Answer = { status: 'missing' };
  return {
    name: `controller.watch(${name})`,
    read: () => valueIn(latest),
    subscribe: (onChange) => {
      let isFirst = true;
      const stop = controller.watch(
        what as never,
        ...([
          ...args,
          (answer: Answer) => {
            latest = answer;
            if (!isFirst) onChange();
          },
        ] as never),
      );
      isFirst = false;
      return stop;
    },
  };
}

function valueIn(answer: Answer): unknown {
  if (answer.status === 'failed') throw answer.error;
  return answer.status === 'missing' ? undefined : answer.value;
}

export function drawHabit(world: World, random: Random): Habit {
  const drawn = random.weighted<Habit>({
    read: 6,
    count: 3,
    throw: 1,
    'subscribe again': 1,
    unsubscribe: 1,
    write: 1,
    'read others': 1,
  });
  return world.without.has(drawn) ? 'read' : drawn;
}
