/** A task, as a person at a tab sees it before an edit. */
export interface ChosenTask {
  readonly id: string;
  readonly title: string;
  /** The temporary pks that the tab knows the task to have had. */
  readonly formerIds: readonly string[];
}

/** What a tab shows. */
export interface TabState {
  readonly waiting: readonly {
    readonly title: string;
    readonly id: string | undefined;
    readonly state: string;
    readonly tries: number;
    readonly code: string;
    readonly error: string;
    readonly isElsewhere: boolean;
  }[];
  readonly shown: readonly string[];
}

/** What happened to an edit. */
export interface TraceLine {
  readonly at: number;
  readonly tab: string;
  /** The title that the edit writes. Empty for an event of the tab. */
  readonly title: string;
  readonly text: string;
}

/** What a server has carried out. */
interface CarriedOut {
  readonly effects: readonly string[];
  readonly titles: ReadonlyMap<string, readonly string[]>;
}

/** The longest history in a report. */
const MAX_LINES = 60;

/**
 * Decides whether each edit was carried out once, and those of one person to one task in their order. A title names its person, tab and
 * number: `0.1.17`.
 */
export class EditsJudge {
  readonly saved = new Set<string>();
  /** The tasks that the edits changed, by title. `undefined`: the edit has created one. */
  readonly made = new Map<string, ChosenTask | undefined>();
  readonly #lines: TraceLine[] = [];
  /** The titles of the creates, by the temporary pks of their tasks. */
  readonly #creates = new Map<string, string>();

  note(title: string, chosen: ChosenTask | undefined): void {
    this.made.set(title, chosen);
    const create = chosen && this.#createOf(chosen);
    if (chosen !== undefined && create !== undefined && isTemporary(chosen.id)) this.#creates.set(chosen.id, create);
  }

  /** The title of the create of a task. It has that title, or one that an edit of the same task wrote. */
  #createOf({ id, title }: ChosenTask): string | undefined {
    const known = this.#creates.get(id);
    if (known !== undefined || !this.made.has(title)) return known;
    const former = this.made.get(title);
    return former === undefined ? title : this.#creates.get(former.id);
  }

  trace(line: TraceLine): void {
    this.#lines.push(line);
  }

  /**
   * Whether an edit cannot be carried out: it is about a task whose tab was killed before its create was saved. Other tabs have shown the task
   * until then.
   */
  isOrphan(title: string, { effects }: Pick<CarriedOut, 'effects'>): boolean {
    const id = this.made.get(title)?.id ?? '';
    const create = this.#creates.get(id);
    return create !== undefined && !this.saved.has(create) && !effects.includes(create);
  }

  /** What is wrong with the edits that were carried out. */
  judged(done: CarriedOut): string[] {
    const counts = new Map<string, number>();
    for (const title of done.effects) counts.set(title, (counts.get(title) ?? 0) + 1);
    const wrong: string[] = [];
    for (const title of this.made.keys()) {
      const count = counts.get(title) ?? 0;
      const isLost = count === 0 && this.saved.has(title) && !this.isOrphan(title, done);
      if (count > 1 || isLost) wrong.push(`the edit ${title} has ${count} effects\n${this.history(title)}`);
    }
    for (const [id, written] of done.titles)
      for (const [at, title] of written.entries()) {
        const earlier = written.slice(0, at).find((other) => this.#mustFollow(other, title));
        if (earlier === undefined) continue;
        const histories = `${this.history(title)}\n${this.history(earlier)}`;
        wrong.push(`the edits of ${id} were carried out in another order: ${written.join(', ')}\n${histories}`);
      }
    return wrong;
  }

  /**
   * Whether an edit must be carried out after another one: the same person has made it later, and could know that it is about the same task. While
   * the answer of a create is lost, a list of the server has the task a second time.
   */
  #mustFollow(later: string, earlier: string): boolean {
    const [person, , number] = later.split('.');
    const [samePerson, , before] = earlier.split('.');
    if (person !== samePerson || Number(number) <= Number(before)) return false;
    const [task, former] = [this.made.get(later), this.made.get(earlier)];
    return task === undefined || former === undefined || task.id === former.id || task.formerIds.includes(former.id);
  }

  /** What happened to an edit, in all tabs and at the server, with what happened to the tabs. */
  history(...titles: readonly string[]): string {
    const lines = this.#lines.filter(({ title }) => titles.includes(title) || title === '');
    const [first] = lines;
    return lines
      .toSorted((one, other) => one.at - other.at)
      .slice(-MAX_LINES)
      .map(({ at, tab, text, title }) => `  ${at - (first?.at ?? 0)} ms, ${tab}: ${title} ${text}`)
      .join('\n');
  }
}

function isTemporary(id: string): boolean {
  return id.startsWith('temp:');
}
