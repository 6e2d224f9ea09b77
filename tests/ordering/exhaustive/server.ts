import type { MutationPlan } from './plans.ts';

export interface Row {
  readonly id: string;
  readonly title?: string;
  readonly done?: string;
}

export type Field = 'title' | 'done';

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
    case 'bulk':
      return { 1: { done: value }, 2: { done: value } };
    case 'delete':
      return { 1: undefined };
    default:
      return {};
  }
}

/** A server with two records. */
export class Server {
  readonly rows: Map<string, Row> = new Map(['1', '2'].map((id) => [id, { id, title: 'old', done: 'old' }]));

  list(): Row[] {
    return [...this.rows.values()];
  }

  /** Returns a record in which record 1 is nested. */
  board(): object {
    return { id: '9', name: 'board', todo: this.rows.get('1') ?? null };
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
    if (plan.kind === 'nested') return { ...(plan.content === 'all' && this.board()), id: '9', todo: answer[0] };
    return plan.kind === 'bulk' ? answer.filter(({ id }) => this.rows.has(id)) : answer[0];
  }
}
