import type { Issued } from './delegate.ts';

/** The request whose answer is written. */
export interface AnsweredRequest {
  readonly isMutation: boolean;
  /** Whether it is a read that no mutation caused. */
  readonly isPlainRead?: boolean;
  /** Whether it is a read, and no mutation has settled since it was sent. */
  readonly isCurrentRead?: boolean;
  /** When it was sent. */
  readonly sent: number;
  /** The place of a mutation in the order of issue. Set only for a mutation. */
  readonly issued?: Issued | undefined;
  /** Called for rows of which only the server knows the present content. */
  doubt(table: string, pk: string): void;
  /** Returns whether the mutation changes this record. For a read: whether a pending mutation does. */
  isMutated?(table: string, pk: string): boolean;
}
