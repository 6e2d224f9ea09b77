import { drafts, list, partly } from '../components.ts';
import { record, records } from '../database/database.ts';
import type { Queries } from '../database/database.ts';
import { channelStream } from '../event-stream.ts';
import { refTo } from '../json-schema.ts';
import type { LiveItems } from '../live-items.ts';
import { notFound } from '../problem.ts';
import { ID } from '../route.ts';
import type { ApiRequest, Reply, Route, World } from '../route.ts';

const ITEM_JSON = `json_build_object('id', i.id, 'name', i.name, 'warehouse', i.warehouse, 'quantity', i.quantity,
  'price', i.price::text, 'updatedAt', iso(i.updated_at))`;

const tag = 'items';
const oneItem = { 200: { description: 'The item', schema: refTo('Item') } };

async function read(queries: Queries, id: string): Promise<object> {
  const item = await record<object>(queries, `select ${ITEM_JSON} as json from item i where i.id = $1`, [id]);
  if (item === undefined) throw notFound('item', id);
  return item;
}

async function change({ queries, params: { id = '' }, body, publish }: ApiRequest): Promise<Reply> {
  const { name = null, quantity = null } = body as { readonly name?: string; readonly quantity?: number };
  await queries.query(
    'update item set name = coalesce($2, name), quantity = coalesce($3, quantity), updated_at = now() where id = $1',
    [id, name, quantity],
  );
  const value = await read(queries, id);
  publish({ entity: 'Item', id: Number(id), value });
  return { status: 200, body: value };
}

const readingRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/items',
    tag,
    summary: 'Ten thousand items in one answer, or fewer.',
    query: {
      limit: { type: 'integer', minimum: 1, maximum: 10_000, default: 10_000 },
      warehouse: { type: 'string', maxLength: 50 },
    },
    answers: { 200: { description: 'The items', schema: list('Item') } },
    handle: async ({ queries, query }) => ({
      status: 200,
      body: await records(
        queries,
        `select ${ITEM_JSON} as json from item i where ($2::text is null or i.warehouse = $2) order by i.id limit $1`,
        [query['limit'], query['warehouse'] ?? null],
      ),
    }),
  },
  {
    method: 'get',
    path: '/items/{id}',
    tag,
    summary: 'One item.',
    params: { id: ID },
    answers: oneItem,
    handle: async ({ queries, params: { id = '' } }) => ({ status: 200, body: await read(queries, id) }),
  },
];

export const itemRoutes = ({ items, clock }: World, live: LiveItems): readonly Route[] => [
  // Comes before the route with an id, which would match "events".
  {
    method: 'get',
    path: '/items/events',
    tag,
    summary: 'Changes of items while a client listens, several at a time, as partial records.',
    query: {
      perSecond: { type: 'integer', minimum: 0, maximum: 2_000, default: 100 },
      lastEventId: { type: 'string' },
    },
    answers: {
      200: {
        description:
          'items: a list of { id, quantity, updatedAt }; item: one that a person changed; reset: too much was missed',
        type: 'text/event-stream',
      },
    },
    handle: (request) => channelStream(request, clock, items, () => live.start(request.query['perSecond'] as number)),
  },
  ...readingRoutes,
  {
    method: 'patch',
    path: '/items/{id}',
    tag,
    summary: 'Change an item.',
    params: { id: ID },
    body: partly(drafts.item),
    answers: oneItem,
    handle: change,
  },
];
