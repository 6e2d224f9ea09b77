import {
  All,
  Controller,
  Endpoint,
  type EndpointInterface,
  Entity,
  Invalidate,
  type SnapshotInterface,
} from '../../../src/index.ts';
import { BOARD, editsOf, type Row, Server } from './server.ts';
import { expectedValues, type Sent } from './expected.ts';
import type { History } from './histories.ts';
import type { MutationPlan, Plan } from './plans.ts';

class Todo extends Entity {
  id = '';
  title: string | undefined = undefined;
  done: string | undefined = undefined;
  static override key = 'Todo';
}

class Board extends Entity {
  id = '';
  title: string | undefined = undefined;
  todo: Todo | null = null;
  static override key = 'Board';
  static override schema = { todo: Todo };
}

interface BoardRow extends Row {
  readonly todo?: Row | null;
}

interface Call {
  readonly key: string;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

const NOTHING_SENT: Call = { key: '', resolve: () => {}, reject: () => {} };
const NOW = 1_000_000;

/** Runs one history with a new client and a new server. */
export class World {
  readonly #plan: Plan;
  readonly #server = new Server();
  readonly #controller = new Controller({ now: () => NOW });
  /** The requests of the history, by number. */
  readonly #calls: Call[] = [];
  /** Functions that deliver the answers of handled requests, by number. */
  readonly #outcomes: (() => void)[] = [];
  readonly #sent: Sent[] = [];
  readonly #byNumber: Sent[] = [];
  /** The requests that the controller sent by itself. */
  #refetches: Call[] = [];
  readonly #counts = new Map<string, number>();
  #last = NOTHING_SENT;
  #step = 0;
  #pending = 0;
  #rests = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  readonly #call = (key: string): Promise<never> =>
    new Promise((resolve, reject) => {
      this.#last = { key, resolve: resolve as Call['resolve'], reject };
      this.#refetches.push(this.#last);
    });

  readonly #list = new Endpoint(() => this.#call('list'), { name: 'list', schema: [Todo] });
  readonly #get = new Endpoint((_of: { readonly id: string }) => this.#call('get'), { name: 'get', schema: Todo });
  readonly #board = new Endpoint(() => this.#call('board'), { name: 'board', schema: Board });

  /** Returns the first fault, if there is one. */
  async run(history: History): Promise<string | undefined> {
    await this.#controller.setResponse(this.#list, this.#server.list());
    await this.#controller.setResponse(this.#board, this.#server.board());
    const stops = this.#plan.isShown
      ? [
          this.#controller.watch(this.#list, () => {}),
          this.#controller.watch(this.#get, { id: '1' }, () => {}),
          this.#controller.watch(this.#board, () => {}),
        ]
      : [];
    const fault = await this.#play(history);
    for (const stop of stops) stop();
    this.#controller.dispose();
    return fault;
  }

  async #play(history: History): Promise<string | undefined> {
    let fault: string | undefined;
    for (const step of history) {
      if ('send' in step && this.#nestsDeleted(step.send)) return fault;
      this.#step++;
      if ('send' in step) this.#send(step.send);
      else this.#answer(step.answer, step.handled);
      // oxlint-disable-next-line no-await-in-loop -- one step after another
      await settled();
      fault ??= this.#faultNow();
    }
    return fault ?? (await this.#faultAtRest());
  }

  /** Returns whether a mutation nests a record whose deletion was answered. Some servers create such a record, so the rest is not tested. */
  #nestsDeleted(nth: number): boolean {
    if (this.#plan.mutations[nth]?.kind !== 'nested') return false;
    return this.#sent.some(({ plan, answer }) => plan?.kind === 'delete' && answer !== undefined);
  }

  #send(nth: number): void {
    const plan = this.#plan.mutations[nth];
    this.#last = NOTHING_SENT;
    const before = this.#refetches;
    this.#refetches = [];
    const asked = plan === undefined ? this.#read(nth) : this.#mutate(plan, `m${nth}`);
    asked.catch(() => {});
    this.#refetches = before;
    this.#calls[nth] = this.#last === NOTHING_SENT ? this.#shared(nth) : this.#last;
    const isList = nth === this.#plan.mutations.length;
    const sent: Sent = { ...(plan && { plan }), isList, value: `m${nth}`, sentAt: this.#step, settledAt: Infinity };
    this.#byNumber[nth] = sent;
    this.#sent.push(sent);
    if (plan !== undefined) this.#pending++;
  }

  /** Returns the request of the controller that a read shares: the latest, because an earlier one may have been sent before a mutation. */
  #shared(nth: number): Call {
    const key = nth === this.#plan.mutations.length ? 'list' : 'get';
    const call = this.#refetches.findLast((one) => one.key === key) ?? NOTHING_SENT;
    this.#refetches = this.#refetches.filter((one) => one !== call);
    return call;
  }

  #read(nth: number): Promise<unknown> {
    const isList = nth === this.#plan.mutations.length;
    return isList ? this.#controller.fetch(this.#list) : this.#controller.fetch(this.#get, { id: '1' });
  }

  #mutate(plan: MutationPlan, value: string): Promise<unknown> {
    const edits = editsOf(plan, value);
    const ids = Object.keys(edits);
    const [[id, edit] = ['1', undefined]] = Object.entries(edits);
    const sent = Object.entries(edits).map(([one, fields]) => ({ id: one, ...fields }));
    const body = plan.kind === 'nested' ? { id: BOARD, todo: sent[0] } : sent[0];
    const impliedResponse = (): unknown => (plan.kind === 'bulk' ? sent : body);
    const options = { name: plan.kind, sideEffect: true, impliedResponse } as const;
    const send = (_of: object, _body?: object): Promise<never> => this.#call('');
    const guessing = <E extends EndpointInterface>(endpoint: E, guess: (snap: SnapshotInterface) => unknown): E =>
      this.#plan.hasGuess ? Object.assign(endpoint, { getOptimisticResponse: guess }) : endpoint;
    switch (plan.kind) {
      case 'search':
        return this.#controller.fetch(new Endpoint(send, { ...options, schema: [Todo] }), { text: 'x' });
      case 'bulk': {
        const bulk = guessing(new Endpoint(send, { ...options, schema: [Todo] }), (snap) => {
          const shown = ids.filter((one) => snap.get(Todo, { id: one }) !== undefined);
          return shown.map((one) => ({ ...(snap.get(Todo, { id: one }) as object), ...edits[one] }));
        });
        return this.#controller.fetch(bulk, { ids }, edit ?? {});
      }
      case 'nested': {
        const change = new Endpoint(send, { ...options, schema: Board });
        const guess = (snap: SnapshotInterface): unknown => {
          const board: object | undefined = snap.get(Board, { id: BOARD });
          const todo: object | undefined = snap.get(Todo, { id });
          return { ...board, todo: { ...todo, id, ...edit } };
        };
        return this.#controller.fetch(guessing(change, guess), { id: BOARD }, { todo: { id, ...edit } });
      }
      case 'delete': {
        const remove = new Endpoint(send, { ...options, schema: new Invalidate(Todo) });
        return this.#controller.fetch(
          guessing(remove, () => ({ id })),
          { id },
        );
      }
      default: {
        const schema = plan.kind === 'title of board' ? Board : Todo;
        const change = new Endpoint(send, { ...options, schema });
        const guess = (snap: SnapshotInterface): unknown => ({ ...(snap.get(schema, { id }) as object), id, ...edit });
        return this.#controller.fetch(guessing(change, guess), { id }, edit ?? {});
      }
    }
  }

  #answer(nth: number, handled: readonly number[]): void {
    for (const one of handled) this.#handle(one);
    this.#outcomes[nth]?.();
    const sent = this.#byNumber[nth];
    if (sent !== undefined) sent.settledAt = this.#step;
    if (nth >= this.#plan.mutations.length) return;
    this.#pending--;
    if (this.#pending === 0) this.#rests++;
  }

  #handle(nth: number): void {
    const sent = this.#byNumber[nth];
    const call = this.#calls[nth];
    if (sent === undefined || call === undefined) throw new Error(`Request ${nth} was not sent.`);
    const plan = this.#plan.mutations[nth];
    const answer = (): unknown => {
      // The server refuses every other one. The rest do not reach it, which the client cannot know.
      if (plan?.outcome === 'refused') throw Object.assign(new Error('refused'), nth % 2 === 0 ? { status: 400 } : {});
      if (plan === undefined) return this.#answerOf(call.key);
      const made = this.#server.mutate(plan, sent.value);
      if (plan.outcome === 'lost') throw new Error('lost');
      return made;
    };
    try {
      const made = answer();
      this.#outcomes[nth] = () => {
        // The answer of a search always contains records.
        const isSilent = plan?.content === 'nothing' && plan.kind !== 'search';
        sent.answer = isSilent || plan?.kind === 'delete' ? [] : rowsOf(made);
        call.resolve(isSilent ? null : made);
      };
    } catch (error) {
      this.#outcomes[nth] = () => call.reject(error as Error);
    }
  }

  #answerOf(key: string): unknown {
    if (key === 'list') return this.#server.list();
    if (key === 'board') return this.#server.board();
    const row = this.#server.rows.get('1');
    if (row === undefined) throw new Error('404');
    return row;
  }

  #faultNow(): string | undefined {
    for (const [id, schema] of Object.entries({ 1: Todo, 2: Todo, [BOARD]: Board })) {
      const shown = this.#controller.get(schema, { id }) as Row | undefined;
      for (const field of ['title', 'done'] as const) {
        const expected = expectedValues(this.#sent, this.#plan.hasGuess, id, field);
        if (expected?.includes(shown?.[field]) === false)
          return `step ${this.#step}: ${field} of ${id} is ${shown?.[field]}, not ${expected.join(' or ')}`;
      }
    }
    return undefined;
  }

  /** Answers the requests that the controller sent by itself, until it sends no more. Then the screen must equal the server. */
  async #faultAtRest(): Promise<string | undefined> {
    for (let calls = this.#refetches; calls.length > 0; calls = this.#refetches) {
      this.#refetches = [];
      for (const call of calls) this.#refetch(call);
      // oxlint-disable-next-line no-await-in-loop -- one round after another
      await settled();
    }
    for (const [key, count] of this.#counts)
      if (count > this.#rests) return `${key} was fetched again ${count} times, after ${this.#rests} overlaps`;
    if (!this.#isKnown()) return undefined;
    const all = this.#controller.get(new All(Todo)) ?? [];
    const isLost = this.#sent.some(({ plan }) => plan?.kind === 'delete' && plan.outcome === 'lost');
    const gone = isLost ? undefined : all.find(({ id }) => !this.#server.rows.has(id));
    if (gone !== undefined) return `at rest: All has ${gone.id}, which the server has deleted`;
    const { data: list, expiresAt } = this.#controller.getResponse(this.#list);
    const { data: board, ...ofBoard } = this.#controller.getResponse(this.#board);
    // A board with the record may be from before the deletion.
    const boardOf = (row: object | undefined): string => fieldsOf([isLost ? { ...row, todo: null } : row]);
    const parts = [
      { shown: fieldsOf(list), stored: fieldsOf(this.#server.list()), expiresAt },
      { shown: boardOf(board), stored: boardOf(this.#server.board()), expiresAt: ofBoard.expiresAt },
    ];
    // What is not shown is fetched when it is shown, if it has expired.
    const wrong = parts.find((part) => part.shown !== part.stored && (this.#plan.isShown || part.expiresAt > NOW));
    return wrong && `at rest: ${wrong.shown}, and the server has ${wrong.stored}`;
  }

  #refetch(call: Call): void {
    this.#counts.set(call.key, (this.#counts.get(call.key) ?? 0) + 1);
    try {
      call.resolve(this.#answerOf(call.key));
    } catch (error) {
      call.reject(error as Error);
    }
  }

  /** Returns whether the client can know the state of the server. It cannot know of a lost mutation if no other answer showed its records. */
  #isKnown(): boolean {
    return this.#sent.every((lost) => {
      if (lost.plan?.outcome !== 'lost') return true;
      const records = Object.keys(editsOf(lost.plan, ''));
      return this.#sent.some((one) => {
        const isOverlapping = one.answer !== undefined && one.sentAt < lost.settledAt && one.settledAt > lost.sentAt;
        if (!isOverlapping) return false;
        const { kind } = lost.plan as MutationPlan;
        if (one.plan === undefined)
          return this.#plan.isShown && (one.isList ? kind !== 'title of board' : kind === 'title');
        return records.every((id) => id in editsOf(one.plan as MutationPlan, ''));
      });
    });
  }
}

/** Returns the rows in an answer, also those that are nested in others. */
function rowsOf(answer: unknown): Row[] {
  return ([answer].flat() as BoardRow[]).flatMap(({ todo, ...row }) => (todo ? [row, todo] : [row]));
}

/** Returns the fields of shown or stored rows as text. */
function fieldsOf(rows: unknown): string {
  const fields = (row: BoardRow | null | undefined): unknown => row && [row.id, row.title, row.done, fields(row.todo)];
  return JSON.stringify((rows as BoardRow[] | undefined)?.map(fields));
}

/** Waits until all work is done that needs no further answer. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await Promise.resolve(); // oxlint-disable-line no-await-in-loop
}
