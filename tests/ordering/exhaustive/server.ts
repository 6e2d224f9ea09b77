import type { MutationPlan } from './plans.ts';

export interface Row {
  readonly id: string;
  readonly title?: string;
  readonly done?: string;
}

export type Field = 'title' | 'done';

/** The id of the board. */
export const BOARD = '9';

/** Returns the new fields of each record that a mutation changes. `undefined` for a deleted record. */
export function editsOf({ kind }: MutationPlan, value: string): Readonly<Record<string, Partial<Row> | undefined>> {
  switch (kind) {
    case 'title':
    case 'nested':
      return { 1: { title: value } };
    case 'done':
      return { 1: { done: value } };
    case 'title of 2':
      return { 2: { title: value } };
    case 'title of board':
      return { [BOARD]: { title: value } };
    case 'bulk':
      return { 1: { done: value }, 2: { done: value } };
    case 'delete':
      return { 1: undefined };
    default:
      return {};
  }
}

/** A server with two records and a board. */
export class Server {
  readonly rows: Map<string, Row> = new Map([
    ['1', { id: '1', title: 'old', done: 'old' }],
    ['2', { id: '2', title: 'old', done: 'old' }],
    [BOARD, { id: BOARD, title: 'old' }],
  ]);

  list(): Row[] {
    return [...this.rows.values()].filter(({ id }) => id !== BOARD);
  }

  /** Returns the board, in which record 1 is nested. */
  board(): object {
    return { ...this.rows.get(BOARD), todo: this.rows.get('1') ?? null };
  }

  /** Applies a mutation. Returns its answer. Throws if the record was deleted. */
  mutate(plan: MutationPlan, value: string): unknown {
    const answer: Row[] = [];
    for (const [id, edit] of Object.entries(editsOf(plan, value))) {
      const row = this.rows.get(id);
      if (row === undefined && plan.kind !== 'bulk') throw new Error('404');
      if (edit === undefined) this.rows.delete(id);
      else if (row !== undefined) this.rows.set(id, { ...row, ...edit });
      answer.push((plan.content === 'all' && this.rows.get(id)) || { id, ...edit });
    }
    if (plan.kind === 'search') return this.list();
    if (plan.content === 'all' && ['nested', 'title of board'].includes(plan.kind)) return this.board();
    if (plan.kind === 'nested') return { id: BOARD, todo: answer[0] };
    return plan.kind === 'bulk' ? answer.filter(({ id }) => this.rows.has(id)) : answer[0];
  }
}
