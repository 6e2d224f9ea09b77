import { act as reactAct } from 'react';

type Global = typeof globalThis & { IS_REACT_ACT_ENVIRONMENT?: boolean };

/** The values of the flag that are in force, the latest last. They may end in another order, as two `waitFor` do that run at once. */
const values: { readonly isActing: boolean | undefined }[] = [];

/** Sets the flag by which React knows that it runs inside a test. Returns a function that takes the value back. */
export function setActEnvironment(isActing: boolean): () => void {
  const world = globalThis as Global;
  if (values.length === 0) values.push({ isActing: world.IS_REACT_ACT_ENVIRONMENT });
  const own = { isActing };
  values.push(own);
  world.IS_REACT_ACT_ENVIRONMENT = isActing;
  return () => {
    values.splice(values.indexOf(own), 1);
    const last = values.at(-1)?.isActing;
    if (last === undefined) delete world.IS_REACT_ACT_ENVIRONMENT;
    else world.IS_REACT_ACT_ENVIRONMENT = last;
    // The test may change the value of its own.
    if (values.length === 1) values.pop();
  };
}

/** Returns whether updates outside of `act` make React warn. */
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
