/** Neighbouring entries. `tags[i]` belongs to `values[i]`. */
interface Chunk<Tag> {
  readonly values: unknown[];
  readonly tags: Tag[];
}

/** A chunk that grows beyond this length is split in two. */
const MAX_CHUNK = 64;

/**
 * A sorted list of values, each with a tag that tells equal values apart. It is stored in chunks, so that adding or removing an entry moves few others.
 * A value must not change while the list holds it.
 */
export class SortedList<Tag> {
  readonly #compare: (one: unknown, other: unknown) => number;
  readonly #compareTags: (one: Tag, other: Tag) => number;
  #chunks: Chunk<Tag>[] = [];
  /** The position that `#find` has found: the index of a chunk, and the index in that chunk. */
  #chunk = 0;
  #at = 0;
  size = 0;

  constructor(compare: (one: unknown, other: unknown) => number, compareTags: (one: Tag, other: Tag) => number) {
    this.#compare = compare;
    this.#compareTags = compareTags;
  }

  /** Replaces all entries. */
  replaceAll(entries: (readonly [value: unknown, tag: Tag])[]): void {
    entries.sort(([value, tag], [otherValue, otherTag]) => this.#order(value, tag, otherValue, otherTag));
    this.#chunks = [];
    for (let at = 0; at < entries.length; at += MAX_CHUNK / 2) {
      const slice = entries.slice(at, at + MAX_CHUNK / 2);
      this.#chunks.push({ values: slice.map(([value]) => value), tags: slice.map(([, tag]) => tag) });
    }
    this.size = entries.length;
  }

  /** Adds an entry. Returns whether its index is below `end`. */
  insert(value: unknown, tag: Tag, end = 0): boolean {
    this.#find(value, tag);
    if (this.#chunks.length === 0) this.#chunks.push({ values: [], tags: [] });
    const { values, tags } = this.#chunks[this.#chunk] as Chunk<Tag>;
    values.splice(this.#at, 0, value);
    tags.splice(this.#at, 0, tag);
    this.size++;
    const isBefore = this.#index(end) < end;
    if (values.length > MAX_CHUNK)
      this.#chunks.splice(this.#chunk + 1, 0, {
        values: values.splice(MAX_CHUNK / 2),
        tags: tags.splice(MAX_CHUNK / 2),
      });
    return isBefore;
  }

  /** Removes an entry. Returns whether it was in the list at an index below `end`. */
  remove(value: unknown, tag: Tag, end = 0): boolean {
    if (!this.#find(value, tag)) return false;
    const { values, tags } = this.#chunks[this.#chunk] as Chunk<Tag>;
    values.splice(this.#at, 1);
    tags.splice(this.#at, 1);
    this.size--;
    if (values.length === 0) this.#chunks.splice(this.#chunk, 1);
    return this.#index(end) < end;
  }

  /** Returns whether the index of an entry is below `end`. */
  isBefore(value: unknown, tag: Tag, end: number): boolean {
    this.#find(value, tag);
    return this.#index(end) < end;
  }

  /** Returns how many entries are less than or equal to an entry, which need not be in the list. */
  placeBehind(value: unknown, tag: Tag): number {
    const isThere = this.#find(value, tag);
    return this.#index(this.size) + Number(isThere);
  }

  /** Returns the values from one index to another, in order. */
  values(from: number, to: number): unknown[] {
    return this.#between(from, to, 'values');
  }

  /** Returns the tags from one index to another, in order. */
  tags(from: number, to: number): Tag[] {
    return this.#between(from, to, 'tags') as Tag[];
  }

  #between(from: number, to: number, name: keyof Chunk<Tag>): unknown[] {
    const found: unknown[] = [];
    let passed = 0;
    for (const chunk of this.#chunks) {
      if (passed >= to) break;
      const parts: readonly unknown[] = chunk[name];
      // Most ranges begin in the first chunk. A copy of it is faster than adding each of its parts.
      if (passed === 0 && to <= parts.length) return parts.slice(from, to);
      for (let at = Math.max(from - passed, 0); at < parts.length && passed + at < to; at++) found.push(parts[at]);
      passed += parts.length;
    }
    return found;
  }

  #order(value: unknown, tag: Tag, otherValue: unknown, otherTag: Tag): number {
    return this.#compare(value, otherValue) || this.#compareTags(tag, otherTag);
  }

  /** Finds the position of an entry, present or not. Returns whether it is present. */
  #find(value: unknown, tag: Tag): boolean {
    const chunks = this.#chunks;
    let chunk = 0;
    let high = chunks.length - 1;
    while (chunk < high) {
      const middle = (chunk + high) >> 1;
      const { values, tags } = chunks[middle] as Chunk<Tag>;
      const last = values.length - 1;
      if (this.#order(values[last], tags[last] as Tag, value, tag) < 0) chunk = middle + 1;
      else high = middle;
    }
    const { values, tags } = chunks[chunk] ?? NO_CHUNK;
    let at = 0;
    high = values.length;
    while (at < high) {
      const middle = (at + high) >> 1;
      if (this.#order(values[middle], tags[middle] as Tag, value, tag) < 0) at = middle + 1;
      else high = middle;
    }
    this.#chunk = chunk;
    this.#at = at;
    return at < values.length && this.#order(values[at], tags[at] as Tag, value, tag) === 0;
  }

  /** Returns the index in the list of the position that was found. Stops counting at `limit`. */
  #index(limit: number): number {
    let index = this.#at;
    if (limit < Number.POSITIVE_INFINITY)
      for (let before = 0; before < this.#chunk && index < limit; before++)
        index += (this.#chunks[before] as Chunk<Tag>).values.length;
    return index;
  }
}

const NO_CHUNK: Chunk<never> = { values: [], tags: [] };
