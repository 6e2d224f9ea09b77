import { type Platform, platform as realPlatform } from '../../../src/index.ts';
import { Random } from '../../oracle/random.ts';
import { type Appointment, Clock, settled } from '../network/clock.ts';
import { application } from './application.ts';
import type { Issue } from './entities.ts';
import { Server } from './server.ts';

/** How a request ends. The server has carried out all of them except those that are refused or failed. */
type Fate = 'answered' | 'refused' | 'failed' | 'lost' | 'unanswered' | 'proxy' | 'garbled';

const ANSWERED: readonly Fate[] = Array.from({ length: 30 }, () => 'answered');
const FATES: readonly Fate[] = [...ANSWERED, 'refused', 'failed', 'lost', 'unanswered', 'proxy', 'garbled'];
const FATES_OF_READS: readonly Fate[] = [...ANSWERED, 'failed', 'lost', 'unanswered', 'proxy'];
const JSON_TYPE = { 'Content-Type': 'application/json' };

const SEARCHES = [
  {},
  { project_id: 1 },
  { project_id: 2 },
  { status_id: 3 },
  { assigned_to_id: 1, project_id: 1 },
  { project_id: 1, offset: 0, limit: 3 },
  { project_id: 1, offset: 3, limit: 3 },
];

/** The settings of a run. */
export interface Setting {
  readonly seed: number;
  readonly mutations: number;
  readonly isOptimistic: boolean;
  readonly isSerial: boolean;
}

/** One browser that shows a board of issues, one server, and a clock that jumps from event to event. */
export class World {
  readonly #server = new Server();
  readonly #clock = new Clock();
  readonly #application;
  readonly #setting: Setting;
  readonly #random: Random;
  readonly #log: string[] = [];
  #made = 0;
  /** How often reads of an address have failed in a row. */
  readonly #failedReads = new Map<string, number>();

  constructor(setting: Setting) {
    this.#setting = setting;
    this.#random = new Random(setting.seed);
    const platform: Platform = {
      ...realPlatform,
      fetch: (url, init) => this.#send(url, init),
      now: () => 1_000_000 + this.#clock.now,
      random: () => this.#random.next(),
      setTimeout: (run, delay) => this.#clock.in(delay, 'timer', run),
      clearTimeout: (timer) => {
        if (timer !== undefined) (timer as Appointment).run = undefined;
      },
    };
    const { isOptimistic: optimistic, isSerial: serial } = setting;
    this.#application = application(platform, { optimistic, serial });
  }

  /** Returns the first difference between the screen and the server after all requests have ended, or `undefined`. */
  async run(): Promise<string | undefined> {
    const { get, getList } = this.#application.issues;
    for (const search of SEARCHES) {
      void this.#application.controller.fetch(getList, search).catch(() => {});
      this.#application.controller.watch(getList, search, () => {});
    }
    for (const id of [1, 4]) this.#application.controller.watch(get, { id }, () => {});
    await this.#rest();
    for (let count = 0; count < this.#setting.mutations; count++)
      this.#clock.in(this.#random.next() * 3000, 'change', () => this.#change());
    // Half of the runs have no polls, because a later request would replace wrong data.
    const polls = this.#random.next() < 0.5 ? 0 : 10;
    for (let count = 0; count < polls; count++)
      this.#clock.in(this.#random.next() * 3500, 'poll', () => {
        this.#application.controller.fetch(getList, this.#random.pick(SEARCHES)).catch(() => {});
      });
    await this.#rest();
    const wrong = this.#wrong();
    this.#application.controller.dispose();
    return wrong && `seed ${this.#setting.seed}: ${wrong}\n${this.#log.join('\n')}`;
  }

  /** Runs all events in order of time, until none is left. */
  async #rest(): Promise<void> {
    await settled();
    for (let next = this.#clock.next(); next !== undefined; next = this.#clock.next()) {
      next.run?.();
      // oxlint-disable-next-line no-await-in-loop -- one event after another
      await settled();
    }
  }

  /** The request takes some time to reach the server, and the answer takes some time to return. Either can be lost. */
  #send(url: string, { method = 'GET', body, signal }: RequestInit = {}): Promise<Response> {
    const [there, back] = [this.#random.next() * 400, this.#random.next() * 400];
    const fate = method === 'GET' ? this.#fateOfRead(url) : this.#random.pick(FATES);
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
      this.#clock.in(there, 'arrival', () => {
        const sent: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
        const isCarriedOut = fate !== 'refused' && fate !== 'failed';
        const response = isCarriedOut ? this.#server.answer(method, url, sent) : new Response(null, { status: 500 });
        this.#note(`${method} ${url} ${typeof body === 'string' ? body : ''} ${fate} ${response.status}`);
        if (fate === 'unanswered') return;
        this.#clock.in(back, 'answer', () => {
          this.#note(`  received the answer of ${method} ${url}`);
          if (fate === 'lost') reject(new TypeError('Failed to fetch'));
          else if (fate === 'refused') resolve(Response.json({ errors: ['Locked'] }, { status: 409 }));
          else if (fate === 'proxy') resolve(new Response('<h1>Bad gateway</h1>', { status: 502 }));
          else if (fate === 'garbled') resolve(new Response('{"iss', { headers: JSON_TYPE }));
          else resolve(response);
        });
      });
    });
  }

  /** A read fails twice in a row at most. */
  #fateOfRead(url: string): Fate {
    const failed = this.#failedReads.get(url) ?? 0;
    const fate = failed < 2 ? this.#random.pick(FATES_OF_READS) : 'answered';
    this.#failedReads.set(url, fate === 'answered' ? 0 : failed + 1);
    return fate;
  }

  #note(what: string): void {
    this.#log.push(`${this.#clock.now.toFixed(0).padStart(5)} ${what}`);
  }

  /** The user creates, changes or deletes an issue. */
  #change(): void {
    const { create, delete: remove, getList, partialUpdate, update } = this.#application.issues;
    const shown = this.#application.controller.getResponse(getList, {}).data?.items ?? [];
    const luck = this.#random.next();
    const value = ++this.#made;
    const target = shown.length === 0 ? undefined : this.#random.pick(shown);
    const subject = this.#random.next() < 0.05 ? '' : `Made ${value}`;
    const asked = (): Promise<unknown> => {
      if (target === undefined || luck < 0.15)
        return this.#application.controller.fetch(create, { subject, project_id: this.#random.pick([1, 2]) });
      const params = { id: target.id };
      if (luck < 0.22) return this.#application.controller.fetch(remove, params);
      if (luck < 0.5) return this.#application.controller.fetch(partialUpdate, params, { subject });
      if (luck < 0.6) return this.#application.controller.fetch(partialUpdate, params, { done_ratio: value });
      if (luck < 0.7)
        return this.#application.controller.fetch(partialUpdate, params, {
          assigned_to: this.#random.pick([null, 1, 2]),
        });
      if (luck < 0.8)
        return this.#application.controller.fetch(partialUpdate, params, { status: this.#random.pick([1, 2, 3]) });
      if (luck < 0.85)
        return this.#application.controller.fetch(this.#application.logTime, { hours: 1, issue: target.id });
      return this.#application.controller.fetch(update, params, { subject, done_ratio: value });
    };
    this.#note(`    user: ${value} ${target?.id} ${luck.toFixed(2)}`);
    asked().catch((error: Error) => {
      this.#note(`    ${value} failed: ${error.message}`);
    });
  }

  #wrong(): string | undefined {
    for (const search of SEARCHES) {
      const { items: shown = [], total } = Object(
        this.#application.controller.getResponse(this.#application.issues.getList, search).data,
      ) as {
        readonly items?: readonly Issue[];
        readonly total?: number;
      };
      const texts = new URLSearchParams(Object.entries(search).map(([name, value]) => [name, String(value)]));
      const kept = this.#server.list(texts);
      const wrong = differenceOf(shown, kept.issues);
      if (wrong !== undefined) return `the list of ${JSON.stringify(search)}: ${wrong}`;
      if (total !== kept['total_count'])
        return `the total of ${JSON.stringify(search)} is ${total} and not ${String(kept['total_count'])}`;
    }
    for (const id of [1, 4]) {
      const shown = this.#application.controller.view(this.#application.issues.get, { id }).current();
      const kept = this.#server.issues.get(id);
      const wrong = differenceOf('value' in shown ? [shown.value] : [], kept === undefined ? [] : [kept]);
      if (wrong !== undefined) return `issue ${id}: ${wrong}`;
    }
    return undefined;
  }
}

function differenceOf(shown: readonly Issue[], kept: readonly object[]): string | undefined {
  const one = JSON.stringify(shown.map(fieldsOf));
  const other = JSON.stringify(kept.map((issue) => fieldsOf(issue as Issue)));
  return one === other ? undefined : `\n  shown  ${one}\n  server ${other}`;
}

function fieldsOf(issue: Issue): unknown[] {
  const { id, project_id, subject, done_ratio, spent_hours, status, assigned_to, lock_version } = issue;
  return [id, project_id, subject, done_ratio, spent_hours, status?.name, assigned_to?.name, lock_version];
}
