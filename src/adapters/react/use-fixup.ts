import { useEffect, useLayoutEffect } from 'react';

interface Surroundings {
  readonly document?: unknown;
  readonly navigator?: { readonly product?: string };
}

const { document, navigator }: Surroundings = globalThis;

/** Whether this runs where nothing is ever mounted. */
export const IS_SERVER: boolean = document === undefined && navigator?.product !== 'ReactNative';

/** An effect before the frame. There are no frames on a server. */
export const useFixup: typeof useEffect = IS_SERVER ? useEffect : useLayoutEffect;
