import { useState } from 'react';
import { useLive } from 'rejoin/react';
import { getTicker } from './model.ts';

const PRODUCTS = ['BTC-USD', 'ETH-USD', 'SOL-USD'];

export function TickerPage() {
  const [isTwice, setTwice] = useState(false);
  return (
    <div className="stack">
      <label className="row">
        <input type="checkbox" checked={isTwice} onChange={(event) => setTwice(event.target.checked)} />
        Show each ticker twice (the requests stay as many)
      </label>
      <div className="grid">
        {(isTwice ? [...PRODUCTS, ...PRODUCTS] : PRODUCTS).map((productId, at) => (
          <TickerCard key={`${productId} ${at}`} productId={productId} />
        ))}
      </div>
    </div>
  );
}

function TickerCard({ productId }: { readonly productId: string }) {
  const ticker = useLive(getTicker, { productId });
  return (
    <article className="card stack">
      <h2>{ticker.product_id}</h2>
      <p className="big num">{ticker.price.toLocaleString('en', { maximumFractionDigits: 6 })}</p>
      <dl className="row small num">
        <dt className="soft">bid</dt>
        <dd>{ticker.bid}</dd>
        <dt className="soft">ask</dt>
        <dd>{ticker.ask}</dd>
      </dl>
      <p className="soft small num">
        Trade {ticker.trade_id} at {ticker.time.toString({ smallestUnit: 'second' }).slice(11, 19)}
      </p>
    </article>
  );
}
