import { Collection, Entity, type Platform, resource, undecidable } from '../../src/index.ts';

/** The options of the entities and lists of a world. */
export interface ModelSetting {
  readonly isOptimistic: boolean;
  /** The order of the lists is declared. */
  readonly isOrdered: boolean;
  /** Rules and orders throw for some of the records. */
  readonly isThrowing?: boolean;
}

export type Search = Readonly<Record<string, string | number>>;

/** A deal as components show it. */
export interface ShownDeal {
  readonly id: number | string;
  readonly title: string;
  readonly stage: string;
  readonly owner: { readonly id: number; readonly name: string } | null;
}

/** Creates the classes, lists and endpoints, also again, as when a module is replaced at run time. */
export function modelOf({ isOptimistic, isOrdered, isThrowing = false }: ModelSetting, platform: Platform) {
  class Owner extends Entity {
    id = 0;
    name = '';
    static override key = 'Owner';
  }
  class Deal extends Entity {
    id: number | string = 0;
    title = '';
    stage = '';
    owner: Owner | null = null;
    static override key = 'Deal';
    static override schema = { owner: Owner };
  }
  const checked = (deal: Deal): Deal => {
    if (isThrowing && deal.title.endsWith('3')) throw new TypeError('a deal of which the rule knows nothing');
    return deal;
  };
  const search: Search | undefined = {};
  const sent: Partial<{ title: string; stage: string; owner_id: number }> = {};
  const list = new Collection([Deal], {
    where: {
      owner_id: (deal: Deal) => checked(deal).owner?.id,
      owner_name: (deal: Deal) => checked(deal).owner?.name,
      q: undecidable,
    },
    total: 'total',
    ...(isOrdered && {
      orderBy: (one: Deal, other: Deal) => Number(checked(one).id) - Number(checked(other).id),
    }),
  });
  const deals = resource({
    path: '/deals/:id',
    schema: Deal,
    searchParams: search,
    body: sent,
    optimistic: isOptimistic,
    platform,
  }).extend({ getList: { schema: { items: list, total: 0 } } });
  const owners = resource({
    path: '/owners/:id',
    schema: Owner,
    body: {} as { readonly name: string },
    optimistic: isOptimistic,
    platform,
  });
  return { deals, owners };
}

export type Model = ReturnType<typeof modelOf>;
