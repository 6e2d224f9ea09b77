/** Where an entry is, or would be: the number of its chunk, and its place in there. */
interface EntryPlace {
  readonly chunk: number;
  readonly at: number;
  readonly isThere: boolean;
}

/** Entries that stand next to each other; `tags[i]` belongs to `values[i]`. */
interface Chunk<Tag> {
  readonly values: unknown[];
  readonly tags: Tag[];
}

/** A chunk that grows beyond this is cut in two. */
const LARGEST = 1024;

/**
 * Values in order, each with a tag that tells equal ones apart. It is kept in chunks, so that one that comes or goes moves few others.
 * A value is compared as it was when it was put in: it must not change while it is here.
 */
export class SortedList<Tag> {
  readonly #compare: (one: unknown, other: unknown) => number;
  readonly #compareTags: (one: Tag, other: Tag) => number;
  #chunks: Chunk<Tag>[] = [];
  size = 0;

  constructor(compare: (one: unknown, other: unknown) => number, compareTags: (one: Tag, other: Tag) => number) {
    this.#compare = compare;
    this.#compareTags = compareTags;
  }

  /** Holds these entries, and no others. */
  holdOnly(entries: (readonly [value: unknown, tag: Tag])[]): void {
    entries.sort(([value, tag], [otherValue, otherTag]) => this.#order(value, tag, otherValue, otherTag));
    this.#chunks = [];
    for (let at = 0; at < entries.length; at += LARGEST / 2) {
      const some = entries.slice(at, at + LARGEST / 2);
      this.#chunks.push({ values: some.map(([value]) => value), tags: some.map(([, tag]) => tag) });
    }
    this.size = entries.length;
  }

  /** Puts an entry in. Returns its place among all. */
  insert(value: unknown, tag: Tag): number {
    const place = this.#find(value, tag);
    if (this.#chunks.length === 0) this.#chunks.push({ values: [], tags: [] });
    const { values, tags } = this.#chunks[place.chunk] as Chunk<Tag>;
    values.splice(place.at, 0, value);
    tags.splice(place.at, 0, tag);
    this.size++;
    const index = this.#indexOf(place);
    if (values.length > LARGEST)
      this.#chunks.splice(place.chunk + 1, 0, { values: values.splice(LARGEST / 2), tags: tags.splice(LARGEST / 2) });
    return index;
  }

  /** Takes an entry out. Returns the place that it had among all; -1 where it was not there. */
  remove(value: unknown, tag: Tag): number {
    const place = this.#find(value, tag);
    if (!place.isThere) return -1;
    const index = this.#indexOf(place);
    const { values, tags } = this.#chunks[place.chunk] as Chunk<Tag>;
    values.splice(place.at, 1);
    tags.splice(place.at, 1);
    this.size--;
    if (values.length === 0) this.#chunks.splice(place.chunk, 1);
    return index;
  }

  /** How many entries stand before an entry, or are it; it need not be here. */
  placeBehind(value: unknown, tag: Tag): number {
    const place = this.#find(value, tag);
    return this.#indexOf(place) + (place.isThere ? 1 : 0);
  }

  /** The entries from one place to another, in order. */
  slice(from: number, to: number): { readonly values: unknown[]; readonly tags: Tag[] } {
    const values: unknown[] = [];
    const tags: Tag[] = [];
    let passed = 0;
    for (const chunk of this.#chunks) {
      if (passed >= to) break;
      const start = Math.max(from - passed, 0);
      for (let at = start; at < chunk.values.length && passed + at < to; at++) {
        values.push(chunk.values[at]);
        tags.push(chunk.tags[at] as Tag);
      }
      passed += chunk.values.length;
    }
    return { values, tags };
  }

  #order(value: unknown, tag: Tag, otherValue: unknown, otherTag: Tag): number {
    return this.#compare(value, otherValue) || this.#compareTags(tag, otherTag);
  }

  #find(value: unknown, tag: Tag): EntryPlace {
    const last = (chunk: Chunk<Tag>): number => this.#order(chunk.values.at(-1), chunk.tags.at(-1) as Tag, value, tag);
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (last(this.#chunks[middle] as Chunk<Tag>) < 0) low = middle + 1;
      else high = middle;
    }
    return { chunk: low, ...this.#findIn(this.#chunks[low], value, tag) };
  }

  #findIn(chunk: Chunk<Tag> | undefined, value: unknown, tag: Tag): { readonly at: number; readonly isThere: boolean } {
    if (chunk === undefined) return { at: 0, isThere: false };
    const { values, tags } = chunk;
    let low = 0;
    let high = values.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#order(values[middle], tags[middle] as Tag, value, tag) < 0) low = middle + 1;
      else high = middle;
    }
    const isThere = low < values.length && this.#order(values[low], tags[low] as Tag, value, tag) === 0;
    return { at: low, isThere };
  }

  #indexOf({ chunk, at }: EntryPlace): number {
    let index = at;
    for (let before = 0; before < chunk; before++) index += (this.#chunks[before] as Chunk<Tag>).values.length;
    return index;
  }
}
