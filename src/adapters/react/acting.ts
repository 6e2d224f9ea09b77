import * as React from 'react';

/** The internals that React shares with its renderers. */
interface Shared {
  readonly actQueue?: unknown;
  readonly ReactCurrentActQueue?: { readonly current: unknown };
  readonly T?: object | null;
  readonly ReactCurrentBatchConfig?: { readonly transition: object | null };
}

/** The exports of React 19 and of React 18 that hold them. */
interface Exported {
  readonly __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE?: Shared;
  readonly __SECRET_INTERNALS_DO_NOT_USE_OR_YOU_WILL_BE_FIRED?: Shared;
}

// A copy, because webpack fails on a member of the module that this version of React does not export.
const {
  __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: newer,
  __SECRET_INTERNALS_DO_NOT_USE_OR_YOU_WILL_BE_FIRED: older,
}: Exported = { ...(React as object) };

/**
 * Returns whether an `act` is open. React renders nothing until `act` ends, so a promise that a test awaits inside it must not wait for a
 * render. Only React's internals show this: the queue of an `act` is `actQueue` in 19, and the current value of
 * `ReactCurrentActQueue` in 18. Each of these properties may be absent: production builds have no queue. In a version
 * with other names this returns false, and awaiting inside an `act` takes a second.
 */
export function isActing(): boolean {
  return Boolean((newer ?? older)?.actQueue ?? older?.ReactCurrentActQueue?.current);
}

/**
 * Returns whether a `startTransition` is running. Its internal name is `T` in 19; in 18 it is `transition` of `ReactCurrentBatchConfig`. In a version
 * with other names this returns false, and awaiting a change that was made in a transition may end before the transition is shown.
 */
export function isInTransition(): boolean {
  return Boolean(newer?.T ?? older?.ReactCurrentBatchConfig?.transition);
}
