import { useState } from 'react';
import { useLive } from 'rejoin/react';
import { Sparkline } from '../../shell/sparkline.tsx';
import { getPrice } from './model.ts';

const PAIRS = ['BTC-USD', 'ETH-USD', 'SOL-USD', 'DOGE-USD'];

export function PricePage() {
  const [pair, setPair] = useState('BTC-USD');
  const [amount, setAmount] = useState('3');
  return (
    <div className="stack">
      <div className="row">
        <label className="row">
          Price of
          <input
            className="field"
            inputMode="decimal"
            size={6}
            value={amount}
            onChange={(event) => setAmount(event.target.value)}
          />
        </label>
        <label className="row">
          <span className="visually-hidden">Pair</span>
          <select className="field" value={pair} onChange={(event) => setPair(event.target.value)}>
            {PAIRS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      </div>
      <Price key={pair} pair={pair} amount={amount} />
    </div>
  );
}

function Price({ pair, amount }: { readonly pair: string; readonly amount: string }) {
  const { price, updatedAt } = useLive(getPrice, { exchangePair: pair });
  const total = price.times(Number(amount) || 0).toFixed();
  // The same value, computed with JavaScript numbers, and the place of the first wrong digit.
  const rounded = String(Number(price.toFixed()) * (Number(amount) || 0));
  const same = Array.from(total).findIndex((digit, at) => digit !== rounded[at]);
  const exact = same === -1 ? total.length : same;
  return (
    <article className="card stack">
      <p className="big num" style={{ overflowWrap: 'anywhere' }}>
        {total.slice(0, exact)}
        <span className="beyond">{total.slice(exact)}</span>
      </p>
      <Sparkline value={price.toNumber()} moment={`${pair} ${updatedAt.toString()}`} />
      <dl className="facts num">
        <dt>price</dt>
        <dd style={{ overflowWrap: 'anywhere' }}>{price.toFixed()}, with every digit</dd>
        <dt>computed with numbers</dt>
        <dd style={{ overflowWrap: 'anywhere' }}>{rounded}, wrong from the first coloured digit on</dd>
        <dt>updated at</dt>
        <dd>{updatedAt.toZonedDateTimeISO('UTC').toPlainTime().toString({ smallestUnit: 'second' })} UTC</dd>
        <dt>fetched every</dt>
        <dd>{(getPrice.pollFrequency ?? 0) / 1000} s</dd>
      </dl>
    </article>
  );
}
