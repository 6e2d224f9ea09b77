/** An event of the other tabs. */
export type TabsEvent =
  /** This tab has begun with the data of another tab. */
  | { readonly type: 'joined'; readonly milliseconds: number }
  /** The user has logged out in another tab. */
  | { readonly type: 'reset' }
  /** There is a tab with another version of the application. The two ignore each other. */
  | { readonly type: 'version'; readonly version: string }
  /** The browser lacks Web Locks or `BroadcastChannel`. Each tab works for itself. */
  | { readonly type: 'unsupported' }
  /** A change could not be sent to the other tabs, or a change of another tab could not be stored. */
  | { readonly type: 'failed'; readonly error: unknown };
