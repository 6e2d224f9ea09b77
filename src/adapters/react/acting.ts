import * as React from 'react';

/** The internals that React shares with its renderers. */
interface Shared {
  readonly actQueue?: unknown;
  readonly ReactCurrentActQueue?: { readonly current: unknown };
  readonly T?: Transition | null;
  readonly ReactCurrentBatchConfig?: { readonly transition: Transition | null };
}

/** A `startTransition` that is running. Development builds count the components that it updates. */
interface Transition {
  readonly _updatedFibers?: { clear(): void };
}

/** Its names in 19 and in 18. */
interface Exported {
  readonly __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE?: Shared;
  readonly __SECRET_INTERNALS_DO_NOT_USE_OR_YOU_WILL_BE_FIRED?: Shared;
}

const {
  __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: newer,
  __SECRET_INTERNALS_DO_NOT_USE_OR_YOU_WILL_BE_FIRED: older,
}: Exported = React as object;

/**
 * Whether an `act` is open. React renders nothing until `act` ends, so a promise that a test awaits inside it must not wait for a
 * render. Only React's internals show this: the queue of an `act` is `actQueue` in 19, and the current value of
 * `ReactCurrentActQueue` in 18. Every step may be absent: production builds have no queue, and in a version with other names
 * this returns false, and awaiting inside an `act` takes a second.
 */
export function isActing(): boolean {
  return Boolean((newer ?? older)?.actQueue ?? older?.ReactCurrentActQueue?.current);
}

/**
 * Makes React forget the components that the present transition has updated. Development builds warn of more than ten in one
 * `startTransition`, because the readers of most stores are updated without regard to transitions. Here each reader follows the transition.
 */
export function forgetUpdates(): void {
  const transition = newer?.T ?? older?.ReactCurrentBatchConfig?.transition;
  // oxlint-disable-next-line no-underscore-dangle -- the name that React uses
  transition?._updatedFibers?.clear();
}
