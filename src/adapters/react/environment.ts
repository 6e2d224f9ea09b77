import * as React from 'react';
import { isDevelopment } from '../../std/development.ts';

interface GlobalEnvironment {
  readonly document?: unknown;
  readonly navigator?: { readonly product?: string };
}

const { document, navigator }: GlobalEnvironment = globalThis;

/** Whether this is a server, where no component is ever mounted. */
export const IS_SERVER: boolean = document === undefined && navigator?.product !== 'ReactNative';

/** `useLayoutEffect`. On a server, where React warns about it, `useEffect`. */
export const useIsomorphicLayoutEffect: typeof React.useEffect = IS_SERVER ? React.useEffect : React.useLayoutEffect;

/** Whether this is a development build. Read once, so that components call the same hooks in each render. */
export const IS_DEVELOPMENT: boolean = /* #__PURE__ */ isDevelopment();

export const IS_REACT_18: boolean = !('use' in React);
