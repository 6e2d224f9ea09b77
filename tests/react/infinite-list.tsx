import type { ReactNode } from 'react';
import { Entity, type EndpointInterface } from 'rejoin';
import { type Infinite, useInfinite } from 'rejoin/react';
import { cursorOf, type DealSearch, type KeptDeal } from '../lists/followed-server.ts';

export class Deal extends Entity {
  id = 0;
  stage = '';
  rank = 0;
  note = 0;
  static override key = 'Deal';
}

/** How a page names the next one. `cursors`: it also names the one before. `last`: by its last record. */
export type Paging = 'page' | 'offset' | 'cursor' | 'cursors' | 'last';

const SIZE = 3;

type Page = readonly Deal[] | { readonly items: readonly Deal[]; readonly next: string; readonly previous?: string };

/** A component with pages of a list. */
export interface Slot {
  readonly name: number;
  readonly stage: string | undefined;
  readonly maxPages: number | undefined;
  readonly from: string | undefined;
  shown?: Infinite<Page> | undefined;
}

interface ListProps {
  readonly slot: Slot;
  readonly paging: Paging;
  readonly endpoint: EndpointInterface;
}

export function List({ slot, paging, endpoint }: ListProps): ReactNode {
  const { from, maxPages, stage } = slot;
  const first = {
    limit: SIZE,
    ...(stage !== undefined && { stage }),
    ...(paging === 'page' && { page: 1 }),
    ...(paging === 'offset' && { offset: 0 }),
    ...(from !== undefined && { cursor: from }),
  };
  const options = { next: nextOf(paging), ...(paging === 'cursors' && { previous: previousOf }), maxPages };
  const infinite = useInfinite(endpoint as never, first as never, options as never) as unknown as Infinite<Page>;
  slot.shown = infinite;
  return infinite.items.length;
}

function nextOf(paging: Paging) {
  return (page: Page, { before: _before, ...arg }: DealSearch): DealSearch | undefined => {
    if (!('items' in page)) {
      const last = page.at(-1);
      return page.length < SIZE || last === undefined ? undefined : { ...arg, cursor: cursorOf(last) };
    }
    if (page.next === '') return undefined;
    if (paging === 'page') return { ...arg, page: Number(arg.page) + 1 };
    if (paging === 'offset') return { ...arg, offset: Number(arg.offset) + SIZE };
    return { ...arg, cursor: page.next };
  };
}

function previousOf(page: Page, { cursor: _cursor, ...arg }: DealSearch): DealSearch | undefined {
  return 'items' in page && page.previous ? { ...arg, before: page.previous } : undefined;
}

/** The fields of a record, as text. */
export function textOf({ id, note = 0, rank, stage }: KeptDeal & { readonly note?: number }): string {
  return `${id} ${rank} ${stage} ${note}`;
}
