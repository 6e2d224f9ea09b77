import type { Controller } from '../../control/controller/controller.ts';
import { type Answer, isSameAnswer, type LiveView, MISSING } from '../../control/view/answer.ts';
import { INVALID } from '../../define/schema/row.ts';
import type { Dehydrated, DehydratedResult, DehydratedRow, DehydratedTimes } from '../../state/hydrate/dehydrated.ts';
import type { Commit } from '../../state/store/commit.ts';
import { PageRendering } from './page-rendering.ts';
import { toScriptJson } from './script-json.ts';

interface ShownView {
  readonly view: LiveView;
  readonly answer: Answer;
  /** How many commits there were when the reader rendered. */
  readonly commits: number;
}

type Stamps = ReadonlyMap<string, ReadonlyMap<string, DehydratedTimes>>;

/** Records the commits of a store, and which of them each reader shows, from one part of the page to the next. */
export class ServerLog extends PageRendering {
  readonly #controller: Controller;
  readonly #stop: () => void;
  #commits: Commit[] = [];
  /** How many commits are in earlier parts. */
  #sent = 0;
  readonly #shown = new Map<string, ShownView>();
  /** Readers that an earlier part of the page mentions. */
  readonly #mentioned = new Set<string>();

  constructor(controller: Controller) {
    super();
    this.#controller = controller;
    this.#stop = controller.store.onCommit((commit) => this.#commits.push(commit));
  }

  override first<Value>(id: string, view: LiveView<Value>, isWaiting: boolean): Answer<Value> {
    const answer = view.current();
    this.#shown.set(id, { view, answer, commits: this.#sent + this.#commits.length });
    return isWaiting ? answer : withoutFailure(answer);
  }

  /**
   * Returns the states to send with the next part of the page, and the readers that show an earlier state (`early`), each with the number of the
   * states that it shows.
   */
  take(): { readonly states: Dehydrated[]; readonly early: (readonly [string, number])[] } {
    const readers = this.#early();
    const total = this.#commits.length;
    const cuts = [...new Set([...readers.values(), total])].filter((cut) => cut > 0).sort((a, b) => a - b);
    const stamps = this.#stamps();
    const states = cuts.map((cut, at) => stateOf(this.#commits.slice(cuts[at - 1] ?? 0, cut), stamps));
    const early = [...readers].map(([id, cut]) => [id, cuts.indexOf(cut) + 1] as const);
    this.#sent += total;
    this.#commits = [];
    return { states, early };
  }

  /** Returns the readers that show an earlier state, each with how many of the commits to send it shows. */
  #early(): Map<string, number> {
    const readers = new Map<string, number>();
    for (const [id, { view, answer, commits }] of this.#shown) {
      const isOld = !isSameAnswer(view.current(), answer);
      if (!isOld && !this.#mentioned.has(id)) continue;
      // A reader that was rendered again since the previous part is mentioned again, which corrects that part.
      readers.set(id, Math.max(0, commits - this.#sent));
      this.#mentioned.add(id);
      this.#shown.delete(id);
    }
    return readers;
  }

  #stamps(): Stamps {
    const wanted = new Set(this.#commits.flatMap(({ rows }) => rows.map(({ table }) => table)));
    const stamps = new Map<string, Map<string, DehydratedTimes>>([...wanted].map((table) => [table, new Map()]));
    if (wanted.size > 0)
      for (const { table, pk, stamp } of this.#controller.store.rows()) stamps.get(table)?.set(pk, timesOf(stamp));
    return stamps;
  }

  end(): void {
    this.#stop();
    this.#shown.clear();
    this.#commits = [];
  }
}

/** Without the error of a request, which is not sent: the browser sends the request again. */
function withoutFailure<Value>(answer: Answer<Value>): Answer<Value> {
  if (answer.status !== 'failed' || !('data' in answer)) return answer;
  return answer.data === undefined ? MISSING : { status: 'stale', value: answer.data };
}

type Times = { readonly fetchedAt: number; readonly date: number; readonly expiresAt: number };

function timesOf({ fetchedAt, date, expiresAt }: Times): DehydratedTimes {
  return [fetchedAt, date, Number.isFinite(expiresAt) ? expiresAt : null];
}

/** Returns the state that results from commits. */
function stateOf(commits: readonly Commit[], stamps: Stamps): Dehydrated {
  const tables = new Map<string, Map<string, DehydratedRow>>();
  const results = new Map<string, DehydratedResult>();
  for (const commit of commits) {
    for (const { table, pk, after } of commit.rows) {
      const rows = tables.get(table) ?? new Map<string, DehydratedRow>();
      const times = stamps.get(table)?.get(pk);
      const row = after === INVALID ? null : after;
      if (times === undefined || row === undefined) rows.delete(pk);
      else tables.set(table, rows.set(pk, [pk, row, ...times]));
    }
    for (const { key, before, after } of commit.requests) {
      const [result] = after?.results ?? [];
      if (result === undefined) results.delete(key);
      else if (result !== before?.results[0])
        results.set(key, [key, result.stored, result.args, ...timesOf(result.stamp)]);
    }
  }
  const sent = [...tables].map(([name, rows]) => [name, [...rows.values()]] as const);
  return { format: 'rejoin', version: 1, tables: sent, results: [...results.values()] };
}

/** Removes values that cannot be sent from a state. The browser fetches them itself. */
export function sendable({ tables, results, ...rest }: Dehydrated): Dehydrated {
  return {
    ...rest,
    tables: tables.map(([name, rows]) => [name, rows.filter(canSend)]),
    results: results.filter(canSend),
  };
}

function canSend(value: unknown): boolean {
  try {
    toScriptJson(value);
    return true;
  } catch {
    return false;
  }
}
