/** The laws of what a page shows at any moment. */
import { recordsInTwoVersions } from '../histories.ts';

interface Edit {
  readonly record: string;
  readonly place: number;
  readonly before: string;
  readonly from: number;
  until: number;
  hasFailed: boolean;
}

/** Checks what the frames of a page show. Records are ` name:field/field`, lists `name[…]`. */
export class Watch {
  frames: readonly string[] = [];
  isStreamed = false;
  readonly #edits: Edit[] = [];
  readonly #waiting = new Set<string>();
  #checked = 0;

  /** The user sets a field by an edit that waits for another mutation. Edits that are made later can be carried out earlier, so the value may come back. */
  editThatWaits(record: string, place: number, value: string): void {
    this.#waiting.add(`${record} ${place} ${value}`);
  }

  /** The user sets a field of a record. Its former value must not come back, unless the edit fails. */
  edit(record: string, place: number, value: string, done: Promise<unknown>): void {
    const before = fieldsIn(this.frames.at(-1) ?? '').find((one) => one.record === record)?.fields[place];
    for (const edit of this.#edits)
      if (edit.record === record && edit.place === place && edit.before === value) edit.hasFailed = true;
    if (before === undefined || before === value || this.#waiting.has(`${record} ${place} ${before}`)) return;
    this.#note({ record, place, before }, done);
  }

  /** The user deletes a record. It must not come back, unless the deletion fails. */
  remove(record: string, done: Promise<unknown>): void {
    this.#note({ record, place: -1, before: '' }, done);
  }

  /** The user makes a record with the key of one that was edited or deleted. */
  forget(record: string): void {
    for (const edit of this.#edits) if (edit.record === record) edit.hasFailed = true;
  }

  #note(what: Pick<Edit, 'record' | 'place' | 'before'>, done: Promise<unknown>): void {
    // The frame of the click itself is not shown yet.
    const edit: Edit = { ...what, from: this.frames.length, until: Infinity, hasFailed: false };
    this.#edits.push(edit);
    void done.then((answer) => {
      if (answer === undefined) edit.hasFailed = true;
      // A message of a stream can be older than the answer, and nothing in it says that its record was deleted since.
      if (this.isStreamed && what.place < 0)
        for (const one of this.#edits)
          if (one.record === what.record) one.until = Math.min(one.until, this.frames.length);
      return answer;
    });
  }

  /** The faults of the frames since the last call. */
  faults(): readonly string[] {
    const start = this.#checked;
    this.#checked = this.frames.length;
    return this.frames
      .slice(start)
      .flatMap((frame, at) => [
        ...recordsInTwoVersions(frame),
        ...membersTwice(frame),
        ...this.#returned(frame, start + at),
      ]);
  }

  #returned(frame: string, at: number): readonly string[] {
    const shown = fieldsIn(frame);
    return this.#edits
      .filter(({ from, hasFailed, until }) => !hasFailed && at >= from && at < until)
      .filter(({ before, place, record }) =>
        shown.some((one) => one.record === record && (place < 0 || one.fields[place] === before)),
      )
      .map(({ before, record }) => `${record} is ${before} again: ${frame}`);
  }
}

function fieldsIn(frame: string): readonly { readonly record: string; readonly fields: readonly string[] }[] {
  return [...frame.matchAll(/ ([\w.-]+):([^\s)\]]*)/g)].map(([, record = '', fields = '']) => ({
    record,
    fields: fields.split('/'),
  }));
}

/** The records of which a list has two. A list shows its own records with names that begin with its first letter. */
function membersTwice(frame: string): readonly string[] {
  return [...frame.matchAll(/(\w+)\[([^\]]*)\]/g)].flatMap(([, list = '', text = '']) => {
    const members = fieldsIn(text).flatMap(({ record }) => (record[0] === list[0] ? [record] : []));
    const twice = members.filter((one, at) => members.indexOf(one) < at);
    return twice.map((one) => `${list} has ${one} twice: ${frame}`);
  });
}
