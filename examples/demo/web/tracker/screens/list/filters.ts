import { useMemo } from 'react';
import { setSearch, useSearch } from '../../../shell/router.ts';
import { type FilterChange, type Filters, KINDS, PER_PAGE, STATES } from '../../fields.ts';

export const SORTS = ['createdAt', 'updatedAt', 'priority'] as const;

/** Returns the filters in the address, without unknown parameters. */
export function useFilters(): readonly [filters: Filters, change: (change: FilterChange) => void] {
  const search = useSearch();
  const filters = useMemo(() => filtersIn(new URLSearchParams(search)), [search]);
  return [filters, (change) => setSearch(searchOf({ ...filters, page: 1, ...change }))];
}

function filtersIn(given: URLSearchParams): Filters {
  const state = STATES.find((one) => one === given.get('state'));
  const kind = KINDS.find((one) => one === given.get('kind'));
  const sort = SORTS.find((one) => one === given.get('sort'));
  const priority = given.get('priority');
  const assigneeId = given.get('assigneeId');
  return {
    page: Math.max(1, Number.parseInt(given.get('page') ?? '1', 10) || 1),
    perPage: PER_PAGE,
    ...(state && { state }),
    ...(kind && { kind }),
    ...(sort && sort !== 'createdAt' && { sort }),
    ...(priority !== null && /^[0-3]$/.test(priority) && { priority: Number(priority) }),
    ...(assigneeId !== null && /^[1-9]\d{0,8}$/.test(assigneeId) && { assigneeId }),
  };
}

/** The size of a page is not in the address. */
function searchOf({ page = 1, state, priority, kind, assigneeId, sort }: FilterChange): string {
  const given = Object.entries({ state, priority, kind, assigneeId, sort, page: page > 1 ? page : undefined });
  const set = given.filter(([, value]) => value !== undefined);
  return new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
}
