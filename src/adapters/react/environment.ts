import { useEffect, useLayoutEffect } from 'react';
import { isDevelopment } from '../../std/development.ts';

interface GlobalEnvironment {
  readonly document?: unknown;
  readonly navigator?: { readonly product?: string };
}

const { document, navigator }: GlobalEnvironment = globalThis;

/** Whether this runs where nothing is ever mounted. */
export const IS_SERVER: boolean = document === undefined && navigator?.product !== 'ReactNative';

/** An effect before the frame. There are no frames on a server. */
export const useFixup: typeof useEffect = IS_SERVER ? useEffect : useLayoutEffect;

/** Whether mistakes are looked for. It is so for as long as the program runs, so that hooks keep their order. */
export const IS_DEVELOPMENT: boolean = /* #__PURE__ */ isDevelopment();
