/** Why entries were not restored. */
export type DropReason = 'damage' | 'version' | 'age' | 'size';

/** What has happened to what is kept. */
export type PersistEvent =
  /** It was restored. */
  | { readonly type: 'restored'; readonly rows: number; readonly results: number; readonly milliseconds: number }
  /** So many entries were not restored: they were damaged, of another version, too old or too many. Of a storage that cannot be read, 0. */
  | { readonly type: 'dropped'; readonly reason: DropReason; readonly entries: number }
  /** The storage is full. Nothing more is kept until the next start. */
  | { readonly type: 'full'; readonly error: unknown }
  /** The storage cannot be used. Nothing more is kept until the next start. */
  | { readonly type: 'memory'; readonly error: unknown }
  /** The user has logged out, and what was kept could not be deleted. */
  | { readonly type: 'uncleared'; readonly error: unknown };
