import { describe, expect, it } from 'vitest';
import {
  fieldOfArgument,
  isFilter,
  isPaging,
  isPosition,
  isPresentation,
  isSort,
  pageAsked,
} from './argument-names.ts';

describe('the name of an argument', () => {
  it.each([
    ['filter[state]', 'state'],
    ['where[state]', 'state'],
    ['filters[owner][id]', 'owner][id'],
    ['state', 'state'],
    ['other[state]', 'other[state]'],
    ['filter[state', 'filter[state'],
    ['filterstate]', 'filterstate]'],
    ['state]', 'state]'],
    ['[state]', '[state]'],
  ])('%s is about the field %s', (name, field) => {
    expect(fieldOfArgument(name)).toBe(field);
  });

  it('says whether it is a number of pages or records, and no cursor', () => {
    const positions = [
      'page',
      '_page',
      'pageNumber',
      'page_index',
      'offset',
      '$skip',
      '_start',
      'page[number]',
      'page[offset]',
    ];
    expect(positions.filter((name) => !isPosition(name))).toEqual([]);
    expect(
      ['cursor', 'after', 'page_token', 'pageToken', 'page[cursor]', 'since_id', 'before'].filter(isPosition),
    ).toEqual([]);
  });

  it.each<[string, (name: string) => boolean, readonly string[], readonly string[]]>([
    [
      'a filter',
      isFilter,
      ['filter', 'filters', 'where', '$filter', '_where', 'Filter'],
      ['afilter', 'filtered', 'wheres'],
    ],
    [
      'a sort',
      isSort,
      [
        'sort',
        'sortBy',
        'sort[name]',
        'order',
        'order_by',
        'order-by',
        'orderByName',
        '$orderby',
        '_sort',
        '_order',
        'ordering',
        'order[name]',
        'order.name',
        'orderDir',
        'orderDirection',
        'order_direction',
        'orderField',
        'orderColumn',
        'orderAsc',
        'order_desc',
      ],
      [
        'resort',
        'my_order',
        '__sort',
        'orderId',
        'order_id',
        'orderNumber',
        'orderStatus',
        'orders',
        'orderDescription',
      ],
    ],
    [
      'a presentation',
      isPresentation,
      ['sort', 'include', 'includes', 'fields', 'fields[posts]', 'expand', '$expand', '_embed', '$select', 'populate'],
      ['included', 'field', 'selected', 'noexpand', 'state'],
    ],
    [
      'a page',
      isPaging,
      ['limit', 'size', 'take', '$top', 'per_page', 'perPage', 'page_size', 'pageLimit', 'page[size]', 'page[limit]'],
      ['limits', 'sizes', 'pages', 'page[', 'page[]', 'mylimit', 'mypage', 'page[a1]', 'tops'],
    ],
    [
      'a position',
      isPaging,
      [
        'page',
        'offset',
        '$skip',
        'cursor',
        '_page',
        'pageNumber',
        'page_token',
        'startCursor',
        'end_cursor',
        'page[after]',
      ],
      ['start', 'cursors', 'skipped'],
    ],
  ])(
    'stands for %s in every usual spelling, and not if the spelling is only a part of the name',
    (_what, is, names, others) => {
      expect(names.filter((name) => !is(name))).toEqual([]);
      expect(others.filter(is)).toEqual([]);
    },
  );
});

describe('the page that arguments select', () => {
  it.each<[Readonly<Record<string, unknown>>, ReturnType<typeof pageAsked>]>([
    [{ state: 'open' }, undefined],
    [
      { limit: 5, state: 'open' },
      { size: 5, isFirst: true },
    ],
    [
      { limit: '5', offset: 0 },
      { size: 5, isFirst: true },
    ],
    [
      { limit: 5, offset: '' },
      { size: 5, isFirst: true },
    ],
    [
      { limit: 5, offset: 1 },
      { size: 5, isFirst: false },
    ],
    [{ page: 1 }, { size: undefined, isFirst: true }],
    [
      { page: 2, limit: 5 },
      { size: 5, isFirst: false },
    ],
    [{ limit: 'all' }, { size: undefined, isFirst: true }],
    [{ cursor: 'abc' }, { size: undefined, isFirst: undefined }],
    [{ page: { size: 5, number: 1 } }, { size: 5, isFirst: true }],
    [{ page: { size: 5, number: 3 } }, { size: 5, isFirst: false }],
    [{ page: { after: 'abc' } }, { size: undefined, isFirst: undefined }],
    [
      { page: 2, cursor: 'abc' },
      { size: undefined, isFirst: false },
    ],
  ])('of %o is %o', (args, page) => {
    expect(pageAsked(args, isPaging)).toEqual(page);
  });
});
