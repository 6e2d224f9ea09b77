import { AsyncBoundary, CacheProvider, useLive, useSubscription, useSuspense } from '@data-client/react';
import { Entity, RestEndpoint, schema } from '@data-client/rest';
import { memo, type ReactNode, useState } from 'react';
import { rendered } from './renders.ts';

class Product extends Entity {
  id = '';
  base = '';

  override pk(): string {
    return this.id;
  }

  static override key = 'Product';
}

class Ticker extends Entity {
  product_id = '';
  price = 0;
  time: Date = new Date(0);

  override pk(): string {
    return this.product_id;
  }

  static override key = 'Ticker';
  static override schema = { price: Number, time: (iso: string | Date) => new Date(iso) };
}

const urlPrefix = 'https://api.test';
const getProducts = new RestEndpoint({ urlPrefix, path: '/products', schema: new schema.Collection([Product]) });
const getTicker = new RestEndpoint({
  urlPrefix,
  path: '/products/:product_id/ticker',
  schema: Ticker,
  process: (value: object, { product_id }: { product_id: string }) => ({ ...value, product_id }),
  pollFrequency: 5000,
});

const Price = memo(function Price({ id }: { id: string }): ReactNode {
  rendered('Price');
  const { price, time } = useLive(getTicker, { product_id: id });
  return (
    <b>
      {id} {price.toFixed(2)} {time.toISOString().slice(14, 19)}
    </b>
  );
});

/** The last shown price, by any of the ways that keep it up to date. */
const Seen = memo(function Seen({ id, isLive }: { id: string; isLive: boolean }): ReactNode {
  rendered('Seen');
  useSubscription(getTicker, isLive ? { product_id: id } : null);
  return <i>{useSuspense(getTicker, { product_id: id }).price}</i>;
});

function Page(): ReactNode {
  rendered('Page');
  const products = useSuspense(getProducts);
  const [shown, setShown] = useState<readonly string[]>([]);
  const [isLive, setLive] = useState(false);
  const toggle = (id: string): void =>
    setShown(shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id]);
  return (
    <>
      {products.map(({ id, base }) => (
        <button key={id} name={id} onClick={() => toggle(id)}>
          {base}
        </button>
      ))}
      <button name="live" onClick={() => setLive(!isLive)}>
        {isLive ? 'live' : 'still'}
      </button>
      <AsyncBoundary fallback={<p>Loading prices</p>}>
        {shown.map((id) => (
          <Price key={id} id={id} />
        ))}
        <Seen id="BTC-USD" isLive={isLive} />
      </AsyncBoundary>
    </>
  );
}

export function App(): ReactNode {
  return (
    <CacheProvider>
      <AsyncBoundary fallback={<p>Loading</p>}>
        <Page />
      </AsyncBoundary>
    </CacheProvider>
  );
}
