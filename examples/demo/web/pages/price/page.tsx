import { useState } from 'react';
import { useLive } from 'rejoin/react';
import { getPrice } from './model.ts';

const PAIRS = ['BTC-USD', 'ETH-USD', 'SOL-USD', 'DOGE-USD'];

export function PricePage() {
  const [pair, setPair] = useState('BTC-USD');
  const [amount, setAmount] = useState('3');
  return (
    <div className="stack">
      <div className="row">
        <label className="row">
          What do
          <input
            className="field"
            inputMode="decimal"
            size={6}
            value={amount}
            onChange={(event) => setAmount(event.target.value)}
          />
        </label>
        <label className="row">
          <span className="visually-hidden">of which pair</span>
          <select className="field" value={pair} onChange={(event) => setPair(event.target.value)}>
            {PAIRS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
          cost?
        </label>
      </div>
      <Price pair={pair} amount={amount} />
    </div>
  );
}

function Price({ pair, amount }: { readonly pair: string; readonly amount: string }) {
  const { price, updatedAt } = useLive(getPrice, { exchangePair: pair });
  const total = price.times(Number(amount) || 0);
  return (
    <article className="card stack">
      <p className="big num" style={{ overflowWrap: 'anywhere' }}>
        {total.toFixed()}
      </p>
      <p className="soft num">
        {amount || 0} × {price.toFixed()}, every digit of it
      </p>
      <dl className="row small">
        <dt className="soft">updated</dt>
        <dd className="num">
          {updatedAt.toZonedDateTimeISO('UTC').toPlainTime().toString({ smallestUnit: 'second' })} UTC
        </dd>
        <dt className="soft">next update in about</dt>
        <dd className="num">{getPrice.pollFrequency} ms</dd>
      </dl>
    </article>
  );
}
