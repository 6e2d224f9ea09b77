import type { InspectedReader, Inspector } from '../../control/screen/inspector.ts';
import { type Answer, dataOf } from '../../control/view/answer.ts';
import { hookCallIn, type HookCall } from './hook-call.ts';
import type { CommitEntry, RenderEntry } from './session.ts';
import { textOf, type ValueChange, valueChanges } from './value-changes.ts';

/** How many renders are kept. */
const MAX_RENDERS = 500;

interface ReaderState {
  /** Its stack trace has the call of the hook. */
  readonly calledAt: Error;
  isRendered: boolean;
  isShown: boolean;
  value: unknown;
  /** The latest commit that it showed. */
  commit: number;
}

export interface RendersOptions {
  readonly commits: readonly CommitEntry[];
  readonly now: () => number;
  readonly next: () => number;
}

/** Records the renders of components that use hooks, with the reason for each. */
export class Renders implements Inspector {
  readonly entries: RenderEntry[] = [];
  readonly #options: RendersOptions;
  readonly #readers = new WeakMap<InspectedReader, ReaderState>();

  constructor(options: RendersOptions) {
    this.#options = options;
  }

  noteRender(reader: InspectedReader): void {
    const known = this.#readers.get(reader);
    if (known) known.isRendered = true;
    // The stack identifies the component. Formatting it as text is slow, so that is done later.
    else
      this.#readers.set(reader, {
        calledAt: new Error(),
        isRendered: true,
        isShown: false,
        value: undefined,
        commit: 0,
      });
  }

  noteShown(reader: InspectedReader, answer: Answer): void {
    const state = this.#readers.get(reader);
    if (state?.isRendered !== true) return;
    const [value, before] = [dataOf(answer), state.value];
    const isFirst = !state.isShown;
    // A hook without a value shows nothing yet.
    if (isFirst && value === undefined) return;
    const changes = isFirst ? [] : valueChanges(before, value);
    const isChanged = changes.length > 0;
    const commit = isChanged ? this.#commitOf(changes, state.commit) : undefined;
    this.#addEntry(
      nameOfView(reader, value),
      state.calledAt,
      isFirst ? 'first' : isChanged ? 'changed' : 'again',
      changes,
      commit,
    );
    const { commits } = this.#options;
    Object.assign(state, { value, isShown: true, isRendered: false, commit: commits.at(-1)?.number ?? 0 });
  }

  /** Returns the latest commit that changed one of these records. If none did, the latest commit since then. */
  #commitOf(changes: readonly ValueChange[], since: number): number | undefined {
    const { commits } = this.#options;
    const isOf = ({ rows }: CommitEntry): boolean =>
      changes.some(({ table, pk }) => rows.some((row) => row.table === table && row.pk === pk));
    const latest = commits.at(-1);
    return (commits.findLast(isOf) ?? (latest && latest.number > since ? latest : undefined))?.number;
  }

  #addEntry(
    reads: string,
    error: Error,
    reason: RenderEntry['reason'],
    changes: readonly ValueChange[],
    commit: number | undefined,
  ): void {
    let call: HookCall | undefined;
    this.entries.push({
      number: this.#options.next(),
      at: this.#options.now(),
      get call() {
        return (call ??= hookCallIn(error.stack ?? ''));
      },
      reads,
      reason,
      changes,
      ...(commit !== undefined && { commit }),
    });
    if (this.entries.length > MAX_RENDERS) this.entries.shift();
  }
}

/** Returns the key of the request that the hook reads. For a hook without a request: its value as a short text. */
function nameOfView({ view }: InspectedReader, value: unknown): string {
  return (view as { readonly key?: string }).key ?? textOf(value);
}
