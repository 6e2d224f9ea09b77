import type { Platform } from './platform.ts';

/** Resolves as `work` does. After `milliseconds`, resolves to the result of `onLate`, or rejects with what it throws. */
export async function withTimeout<Value, Late>(
  work: Promise<Value>,
  milliseconds: number,
  onLate: () => Late,
  platform: Pick<Platform, 'setTimeout' | 'clearTimeout'>,
): Promise<Value | Late> {
  let timer: unknown;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = platform.setTimeout(() => resolve(LATE), milliseconds);
  });
  try {
    const first = await Promise.race([late, work]);
    return first === LATE ? onLate() : first;
  } finally {
    platform.clearTimeout(timer);
  }
}

const LATE = Symbol('late');
