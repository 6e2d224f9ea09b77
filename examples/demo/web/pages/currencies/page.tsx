import { useState } from 'react';
import { useFetch, useQuery, useSuspense } from 'rejoin/react';
import { byVolume, currencies, stats } from './model.ts';

const MONEY = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
});
const PRICE = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumSignificantDigits: 6 });

export function CurrenciesPage() {
  void useFetch(stats.getList);
  useSuspense(currencies.getList);
  const [smallest, setSmallest] = useState(0);
  const list = useQuery(byVolume, { smallest }) ?? [];
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
      <div className="card wide">
        <table className="plain">
          <thead>
            <tr>
              <th scope="col">Currency</th>
              <th scope="col" className="right">
                Price
              </th>
              <th scope="col" className="right">
                Volume, 24 h
              </th>
            </tr>
          </thead>
          <tbody>
            {list.map((currency) => (
              <tr key={currency.pk()}>
                <td>
                  <strong>{currency.id}</strong> <span className="soft">{currency.name}</span>
                </td>
                <td className="right num">{PRICE.format(currency.stats.price)}</td>
                <td className="right num">{MONEY.format(currency.stats.volume_usd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
