/** Keeps text under keys, from one run of a program to the next. */
export interface TextStorage {
  /** Opens what is kept under a name. Different names share nothing. */
  open(name: string): Promise<OpenStorage>;
}

/** What is kept under one name. Every method may reject; then nothing of it has happened. */
export interface OpenStorage {
  /** Everything that is kept, in any order. */
  read(): Promise<StorageContent>;
  /** Puts values under keys, and takes the keys away whose value is `undefined`. All of it happens, or nothing. */
  write(changes: ReadonlyMap<string, string | undefined>): Promise<void>;
  /** Takes everything away. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export interface StorageContent {
  readonly entries: Iterable<readonly [key: string, value: string]>;
  /** Whether something was found that could not be read, and is not among the entries. */
  readonly isDamaged?: boolean;
}
