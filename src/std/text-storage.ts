/** Stores texts by key, and keeps them after the program has ended. */
export interface TextStorage {
  /** Opens the storage with a name. Different names share nothing. */
  open(name: string): Promise<OpenStorage>;
}

/** The storage of one name. If a method rejects, it has changed nothing. */
export interface OpenStorage {
  /** Returns all entries, in any order. */
  read(): Promise<StorageContent>;
  /** Writes entries, and deletes the keys whose value is `undefined`: all of them or none. */
  write(changes: ReadonlyMap<string, string | undefined>): Promise<void>;
  /** Deletes all entries. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** The entries of a storage. */
export interface StorageContent {
  readonly entries: Iterable<readonly [key: string, value: string]>;
  /** How many damaged entries were found, which are not among `entries`. */
  readonly damaged?: number;
}
