import { type Answer, dataOf, type LiveView, MISSING, nextAnswer } from '../view/answer.ts';
import type { Entry } from './commit-entry.ts';
import type { Moment } from './moment.ts';
import type { Screen } from './screen.ts';

/** An answer that was read at a moment. It is right until the data at that moment or the newest answer changes. */
interface AnswerAt<Value> {
  readonly moment: Moment;
  readonly version: number;
  readonly newest: Answer<Value>;
  readonly answer: Answer<Value>;
}

/** Reads the answer of a view as it would be without some commits. */
export class EarlierAnswers<Value> {
  readonly #reader: { readonly screen: Screen; readonly view: LiveView<Value> };
  #last: AnswerAt<Value> | undefined;
  /** The answer in the last frame before commits were pending, and `screen.log.shownCount` at that time. */
  #shownBefore: Answer<Value> = MISSING;
  #shownBeforeAt = 0;
  /** The commit that removed the value of the newest answer. */
  #removedBy: Entry | undefined;

  constructor(reader: { readonly screen: Screen; readonly view: LiveView<Value> }) {
    this.#reader = reader;
  }

  /** Call it when a commit has changed the answer. `shown`: the answer before, if the last frame showed it. */
  noteChange(entry: Entry, answer: Answer<Value>, shown: Answer<Value> | undefined): void {
    const { shownCount } = this.#reader.screen.log;
    if (shown !== undefined && shownCount !== undefined) {
      this.#shownBefore = shown;
      this.#shownBeforeAt = shownCount;
    }
    this.#removedBy = 'value' in answer ? undefined : entry;
  }

  /** Returns the answer without these commits. `newest` is the answer with them. */
  without(missing: readonly Entry[], newest: Answer<Value>): Answer<Value> {
    const moment = this.#reader.screen.without(missing);
    if (
      'value' in this.#shownBefore &&
      'value' in newest &&
      this.#reader.screen.log.isAllSince(this.#shownBeforeAt, moment.missing)
    )
      return this.#shownBefore;
    const last = this.#last;
    if (last?.moment === moment && last.version === moment.version && last.newest === newest) return last.answer;
    const answer = this.#read(moment, newest, last?.answer);
    this.#last = { moment, version: moment.version, newest, answer };
    return answer;
  }

  #read(moment: Moment, newest: Answer<Value>, last: Answer<Value> | undefined): Answer<Value> {
    // The present store may know more than the moment: that a request failed, or that its response has expired.
    const isRemoved = this.#removedBy !== undefined && !moment.missing.includes(this.#removedBy);
    if (isRemoved && newest.status === 'missing') return newest;
    let isPresent = false;
    const answer = nextAnswer(last ?? MISSING, () => {
      const { result, isPresent: isSame } = moment.read(() => this.#reader.view.at(moment));
      isPresent = isSame;
      return isRemoved && newest.status === 'failed' ? { ...newest, data: dataOf(result) } : result;
    });
    if (isPresent && ('value' in newest || !('value' in answer) || this.#wasMissing(moment))) return newest;
    return answer;
  }

  /** Returns whether the answer was missing before the commits that this moment lacks, as far as is known. */
  #wasMissing({ missing }: Moment): boolean {
    return this.#removedBy === undefined && missing.every(({ commit }) => commit !== undefined);
  }
}
