import { useEffect, useEffectEvent } from 'react';

/** A part of an item, as the server pushes it. */
export interface ItemChange {
  readonly id: number;
  readonly quantity?: number;
  readonly updatedAt?: string;
}

/** Stores the changed fields of items that the server pushes, many at a time, once per frame. */
export function useLiveItems(perSecond: number, write: (changes: ItemChange[]) => void): void {
  const onFrame = useEffectEvent(write);
  useEffect(() => {
    if (perSecond === 0) return undefined;
    const source = new EventSource(`/api/items/events?perSecond=${perSecond}`);
    let waiting: ItemChange[] = [];
    let frame = 0;
    const flush = (): void => {
      frame = 0;
      onFrame(waiting);
      waiting = [];
    };
    source.addEventListener('items', ({ data }) => {
      waiting.push(...(JSON.parse(data as string) as ItemChange[]));
      frame ||= requestAnimationFrame(flush);
    });
    return () => {
      source.close();
      cancelAnimationFrame(frame);
    };
  }, [perSecond]);
}
