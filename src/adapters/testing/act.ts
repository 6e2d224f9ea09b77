import { act as reactAct } from 'react';

type Global = typeof globalThis & { IS_REACT_ACT_ENVIRONMENT?: boolean };

/** Sets the flag by which React knows that it runs inside a test. Returns a function that restores the former value. */
export function setActEnvironment(isActing: boolean): () => void {
  const world = globalThis as Global;
  const before = world.IS_REACT_ACT_ENVIRONMENT;
  world.IS_REACT_ACT_ENVIRONMENT = isActing;
  return () => {
    if (before === undefined) delete world.IS_REACT_ACT_ENVIRONMENT;
    else world.IS_REACT_ACT_ENVIRONMENT = before;
  };
}

/** Whether updates outside of `act` make React warn. */
export function isActEnvironment(): boolean {
  return (globalThis as Global).IS_REACT_ACT_ENVIRONMENT === true;
}

/** As React's `act`, but sets `IS_REACT_ACT_ENVIRONMENT` itself. */
export function act<T>(run: () => Promise<T>): Promise<T>;
export function act<T>(run: () => T): T;
export function act(run: () => unknown): unknown {
  const restore = setActEnvironment(true);
  let isLater = false;
  try {
    const acted: unknown = reactAct((() => {
      const result = run();
      isLater = typeof (result as { readonly then?: unknown } | undefined)?.then === 'function';
      return result;
    }) as () => void);
    if (!isLater) return acted;
    return Promise.resolve(acted).finally(restore);
  } finally {
    if (!isLater) restore();
  }
}
