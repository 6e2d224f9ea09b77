/** Why entries were not restored. */
export type DropReason = 'damage' | 'version' | 'age' | 'size';

/** An event of the storage. */
export type PersistEvent =
  /** The stored data was restored. */
  | { readonly type: 'restored'; readonly rows: number; readonly results: number; readonly milliseconds: number }
  /** This many entries were not restored: they were damaged, of another version, too old or too many. 0 if the storage could not be read at all. */
  | { readonly type: 'dropped'; readonly reason: DropReason; readonly entries: number }
  /** The storage had entries, and is empty now: the browser has deleted it. */
  | { readonly type: 'lost' }
  /** The storage is full. Nothing more is stored until the next start. */
  | { readonly type: 'full'; readonly error: unknown }
  /** The storage cannot be used. If it was used before, writing is tried again for half a minute. Otherwise nothing more is stored until the next start. */
  | { readonly type: 'memory'; readonly error: unknown }
  /** A row or an answer cannot be stored: it has a value that JSON has no form for, or `include` has thrown. All others are stored. */
  | { readonly type: 'skipped'; readonly error: unknown }
  /** The user has logged out, but the stored data could not be deleted. */
  | { readonly type: 'uncleared'; readonly error: unknown };
