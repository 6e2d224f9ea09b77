import type { BoardServer } from './board-server.ts';

/** An edit of a person. */
interface NotedEdit {
  /** Identifies the edit: it is what the edit writes, except for a deletion. */
  readonly text: string;
  /** The text of the edit that has created its record. */
  readonly origin: string;
  readonly field: string;
  /** The tab in which it was made. Other tabs do not wait for the edits of a tab that the browser has stopped. */
  readonly tab: { readonly wasStopped: boolean };
  /** The number of turns before it. */
  readonly madeAt: number;
}

/** How many turns a message to another tab and its read of the disk take. */
const MESSAGE_TURNS = 20;

/** Compares what a server has carried out with what people have done: each saved edit once, and those of one record in their order. */
export class BoardJudge {
  /** The edits that the outbox has promised to keep, each with the number of turns before. */
  readonly saved: Map<string, number> = new Map();
  readonly #edits: NotedEdit[] = [];
  readonly #given = new Set<string>();
  /** The records inside of others, with the records that they were created with. */
  readonly #outer = new Map<string, string>();

  note(edit: NotedEdit): void {
    this.#edits.push(edit);
  }

  nest(origin: string, outer: string): void {
    this.#outer.set(origin, outer);
  }

  /** Notes that the edits in a body were given up because of a conflict. */
  discard(body: unknown): void {
    const texts = new Set(Object.values(Object(body) as object));
    for (const { text } of this.#edits) if (texts.has(text)) this.#given.add(text);
  }

  /** A logout without a user deletes what was not sent. */
  discardUnsaved(): void {
    for (const { text } of this.#edits) this.#given.add(text);
  }

  /** Whether an edit has stopped because its record was deleted, or was never created. If it was created after all, `judged` finds the edit lost. */
  static canNotBeDone(error: unknown): boolean {
    const { code, status } = Object(error) as { readonly code?: string; readonly status?: number };
    return status === 404 || code === 'record-never-created';
  }

  judged(server: BoardServer): string[] {
    const wrong = [...server.wrong];
    const written = server.effects.flatMap(({ texts }) => texts.filter((text) => text !== ''));
    for (const text of new Set(written))
      if (written.filter((one) => one === text).length > 1) wrong.push(`doubled: ${text}`);
    for (const text of written) if (!text.startsWith(server.user)) wrong.push(`of another user: ${text}`);
    for (const edit of this.#edits) if (this.#isLost(edit, server)) wrong.push(`lost: ${JSON.stringify(edit)}`);
    return [...wrong, ...this.#outOfOrder(server)];
  }

  #isLost({ field, origin, text }: NotedEdit, server: BoardServer): boolean {
    if (!this.saved.has(text) || this.#given.has(text) || !server.hasCreated(origin)) return false;
    if (server.deleted.has(origin) || server.deleted.has(this.#outer.get(origin) ?? '')) return false;
    const at = this.#edits.findIndex((one) => one.text === text);
    // Edits of one field that were merged send the last value.
    const isDone = (one: NotedEdit): boolean =>
      server.effects.some(({ texts }) => texts.includes(one.text)) || this.#given.has(one.text);
    return !this.#edits.some(
      (one, place) => place >= at && one.origin === origin && one.field === field && isDone(one),
    );
  }

  /** Whether the tab of an edit could know of an earlier one: it is of the same tab, or was saved some turns before. */
  #isKnownTo(edit: NotedEdit, earlier: NotedEdit): boolean {
    const savedAt = this.saved.get(earlier.text) ?? Number.POSITIVE_INFINITY;
    return edit.tab === earlier.tab || savedAt + MESSAGE_TURNS < edit.madeAt;
  }

  #outOfOrder(server: BoardServer): string[] {
    const wrong: string[] = [];
    const places = new Map(this.#edits.map((edit, at) => [edit.text, { at, edit }]));
    /** The last edit of each record until the effect before. */
    const last = new Map<string, NotedEdit>();
    for (const { origin, texts } of server.effects) {
      const edits = texts.flatMap((text) => places.get(text) ?? []).filter(({ edit }) => !edit.tab.wasStopped);
      const former = last.get(origin);
      const before = former === undefined ? -1 : (places.get(former.text)?.at ?? -1);
      for (const { at, edit } of edits)
        if (former !== undefined && before > at && this.#isKnownTo(former, edit))
          wrong.push(`${edit.text} after ${former.text}`);
      const latest = edits.sort((one, other) => one.at - other.at).at(-1);
      if (latest !== undefined && latest.at > before) last.set(origin, latest.edit);
    }
    return wrong;
  }
}
