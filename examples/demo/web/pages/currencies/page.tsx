import { type CSSProperties, useState } from 'react';
import { keyOf } from 'rejoin';
import { useFetch, useQuery, useSuspense } from 'rejoin/react';
import { byVolume, type Currency, currencies, stats } from './model.ts';

const MONEY = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
});
const PRICE = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumSignificantDigits: 6 });

export function CurrenciesPage() {
  // Starts both requests at once, then waits for both, because the page sorts by a joined field.
  void useFetch(stats.getList);
  useSuspense(currencies.getList);
  useSuspense(stats.getList);
  const [smallest, setSmallest] = useState(0);
  const list = useQuery(byVolume, { smallest }) ?? [];
  const most = list[0]?.stats.volume_usd ?? 0;
  return (
    <div className="stack">
      <label className="row">
        Volume of at least
        <select className="field" value={smallest} onChange={(event) => setSmallest(Number(event.target.value))}>
          {[0, 1e7, 1e8, 1e9].map((limit) => (
            <option key={limit} value={limit}>
              {MONEY.format(limit)}
            </option>
          ))}
        </select>
      </label>
      <div className="card">
        <table className="plain fixed">
          <thead>
            <tr>
              <th scope="col">Currency</th>
              <th scope="col" className="right">
                Price
              </th>
              <th scope="col" className="right">
                Volume, 24 h
              </th>
              <th scope="col" className="share">
                <span className="visually-hidden">Compared with the largest</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {list.map((currency) => (
              <CurrencyRow key={keyOf(currency)} currency={currency} most={most} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function CurrencyRow({ currency, most }: { readonly currency: Currency; readonly most: number }) {
  const { price, volume_usd: volume } = currency.stats;
  return (
    <tr>
      <td>
        <strong>{currency.id}</strong> <span className="soft">{currency.name}</span>
      </td>
      <td className="right num">{PRICE.format(price)}</td>
      <td className="right num">{MONEY.format(volume)}</td>
      <td className="share">
        <span className="bar" style={{ '--part': most === 0 ? 0 : volume / most } as CSSProperties} />
      </td>
    </tr>
  );
}
