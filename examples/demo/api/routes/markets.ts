import { list } from '../components.ts';
import { record, records } from '../database/database.ts';
import { eventStream, lastEventId } from '../event-stream.ts';
import { refTo } from '../json-schema.ts';
import type { JsonSchema } from '../json-schema.ts';
import { notFound } from '../problem.ts';
import type { ApiRequest, Route, World } from '../route.ts';

const SECOND = 1_000;
/** A listener that missed more changes than this gets the whole order book. */
const MAX_MISSED_STEPS = 300;

const NAME: JsonSchema = { type: 'string', pattern: '^[A-Z]{2,8}-USD$' };
const CODE: JsonSchema = { type: 'string', pattern: '^[A-Z]{2,8}$' };
const CURRENCY_JSON = `json_build_object('id', c.id, 'name', c.name)`;
const STATS_JSON = `json_build_object('product_id', s.product_id, 'price', s.price, 'volume', s.volume, 'volume_usd', s.volume_usd)`;

const currencyRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/currencies',
    tag: 'currencies',
    summary: 'Currencies by id, without numbers.',
    answers: { 200: { description: 'All of them', schema: list('Currency') } },
    handle: async ({ queries }) => ({
      status: 200,
      body: await records(queries, `select ${CURRENCY_JSON} as json from currency c order by c.id`),
    }),
  },
  {
    method: 'get',
    path: '/currencies/{id}',
    tag: 'currencies',
    summary: 'One currency.',
    params: { id: CODE },
    answers: { 200: { description: 'The currency', schema: refTo('Currency') } },
    async handle({ queries, params: { id = '' } }) {
      const currency = await record(queries, `select ${CURRENCY_JSON} as json from currency c where c.id = $1`, [id]);
      if (currency === undefined) throw notFound('currency', id);
      return { status: 200, body: currency };
    },
  },
  {
    method: 'get',
    path: '/stats',
    tag: 'currencies',
    summary: 'Prices and volumes of the last 24 hours; product_id is the id of the currency and "-USD".',
    answers: { 200: { description: 'All of them', schema: list('Stats') } },
    handle: async ({ queries }) => ({
      status: 200,
      body: await records(queries, `select ${STATS_JSON} as json from stats s order by s.product_id`),
    }),
  },
  {
    method: 'get',
    path: '/stats/{productId}',
    tag: 'currencies',
    summary: 'The price and volume of one product in the last 24 hours.',
    params: { productId: NAME },
    answers: { 200: { description: 'The stats', schema: refTo('Stats') } },
    async handle({ queries, params: { productId = '' } }) {
      const stats = await record(queries, `select ${STATS_JSON} as json from stats s where s.product_id = $1`, [
        productId,
      ]);
      if (stats === undefined) throw notFound('product', productId);
      return { status: 200, body: stats };
    },
  },
];

function known({ market }: World, product = ''): string {
  if (!market.has(product)) throw notFound('product', product);
  return product;
}

/** Sends the whole order book, then each change of it. After a short interruption, it sends only the missed changes. */
function bookEvents(world: World, request: ApiRequest): Response {
  const { market, clock } = world;
  const product = known(world, request.params['productId']);
  return eventStream(request, clock, (send) => {
    const now = market.step;
    const seen = Number(lastEventId(request) ?? Number.NaN);
    let step = seen <= now && now - seen <= MAX_MISSED_STEPS ? seen : undefined;
    const catchUp = (): void => {
      for (let at = step ?? now; at < market.step;)
        send({ id: String(++at), name: 'change', data: market.bookChanges(product, at) });
      step = market.step;
    };
    if (step === undefined) send({ id: String(now), name: 'snapshot', data: market.book(product, now) });
    catchUp();
    return clock.every(SECOND, catchUp);
  });
}

const tag = 'markets';

function priceRoutes(world: World): readonly Route[] {
  const { market } = world;
  return [
    {
      method: 'get',
      path: '/price/{exchangePair}',
      tag,
      params: { exchangePair: NAME },
      volatile: true,
      summary: 'A price with all its digits, and its instant.',
      answers: { 200: { description: 'The price', schema: refTo('ExchangePrice') } },
      handle({ params }) {
        const exchangePair = known(world, params['exchangePair']);
        const { step } = market;
        return {
          status: 200,
          body: { exchangePair, price: market.price(exchangePair, step), updatedAt: market.timeOf(step) },
        };
      },
    },
    {
      method: 'get',
      path: '/products/{productId}/ticker',
      tag,
      params: { productId: NAME },
      volatile: true,
      summary: 'The last trade. It changes every second, and does not contain the product.',
      answers: { 200: { description: 'The ticker', schema: refTo('Ticker') } },
      handle: ({ params }) => ({ status: 200, body: market.ticker(known(world, params['productId'])) }),
    },
  ];
}

export const marketRoutes = (world: World): readonly Route[] => [
  ...currencyRoutes,
  ...priceRoutes(world),
  {
    method: 'get',
    path: '/products/{productId}/book',
    tag,
    params: { productId: NAME },
    volatile: true,
    summary: 'The present order book.',
    answers: { 200: { description: 'The book', schema: refTo('OrderBook') } },
    handle: ({ params }) => ({ status: 200, body: world.market.book(known(world, params['productId'])) }),
  },
  {
    method: 'get',
    path: '/products/{productId}/book/events',
    tag,
    params: { productId: NAME },
    query: { lastEventId: { type: 'string' } },
    summary:
      'The order book as events: a snapshot, then changes. After a reconnection with Last-Event-ID, the missed changes are sent.',
    answers: { 200: { description: 'snapshot, change', type: 'text/event-stream' } },
    handle: (request) => bookEvents(world, request),
  },
];
