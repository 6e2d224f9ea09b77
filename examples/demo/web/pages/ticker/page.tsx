import { useState } from 'react';
import { useLive } from 'rejoin/react';
import { Sparkline } from '../../shell/sparkline.tsx';
import { getTicker } from './model.ts';

const PRICE = new Intl.NumberFormat('en', { minimumSignificantDigits: 7, maximumSignificantDigits: 7 });
const PRODUCTS = ['BTC-USD', 'ETH-USD', 'SOL-USD'];

export function TickerPage() {
  const [isTwice, setTwice] = useState(false);
  return (
    <div className="stack">
      <label className="row one-line">
        <input type="checkbox" checked={isTwice} onChange={(event) => setTwice(event.target.checked)} />
        Show each ticker twice (no further requests are sent)
      </label>
      <div className="grid three">
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
      <div>
        <h2 className="soft">{ticker.product_id}</h2>
        <p className="middle num">{PRICE.format(ticker.price)}</p>
      </div>
      <Sparkline value={ticker.price} moment={ticker.trade_id} />
      <dl className="facts small num">
        <dt>bid</dt>
        <dd>{PRICE.format(Number(ticker.bid))}</dd>
        <dt>ask</dt>
        <dd>{PRICE.format(Number(ticker.ask))}</dd>
        <dt>trade</dt>
        <dd>{ticker.trade_id}</dd>
        <dt>time</dt>
        <dd>{ticker.time.toString({ smallestUnit: 'second' }).slice(11, 19)}</dd>
      </dl>
    </article>
  );
}
