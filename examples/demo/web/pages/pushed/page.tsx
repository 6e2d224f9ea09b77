import { useSyncExternalStore } from 'react';
import { keyOf } from 'rejoin';
import { useLive } from 'rejoin/react';
import { Sparkline } from '../../shell/sparkline.tsx';
import type { Connection } from './connection.ts';
import { events, getBallots, getQuote, socket } from './model.ts';

const PRODUCTS = ['BTC-USD', 'ETH-USD', 'SOL-USD'];
const PRICE = new Intl.NumberFormat('en', { minimumSignificantDigits: 7, maximumSignificantDigits: 7 });
const shown = { perPage: 4 };

export function PushedPage() {
  return (
    <div className="stack" style={{ gap: 24 }}>
      <div className="row apart">
        <p className="small soft">Close the connections, and watch them reconnect.</p>
        <button type="button" className="button" onClick={() => void fetch('/api/simulate/cut', { method: 'POST' })}>
          Close both connections
        </button>
      </div>
      <section className="stack" aria-label="Prices">
        <div className="stack tight">
          <h2>Prices, over a WebSocket</h2>
          <State of={socket} />
        </div>
        <div className="grid three">
          {PRODUCTS.map((productId) => (
            <QuoteCard key={productId} productId={productId} />
          ))}
        </div>
      </section>
      <section className="stack" aria-label="Votes">
        <div className="stack tight">
          <h2>Votes of other users, as server-sent events</h2>
          <State of={events} />
        </div>
        <Ballots />
      </section>
    </div>
  );
}

function State({ of }: { readonly of: Connection }) {
  const { isOpen, times } = useSyncExternalStore(of.subscribe, of.current);
  return (
    <p>
      <span className={`chip dot ${isOpen ? 'accent' : 'warm'}`} role="status">
        {isOpen ? `open, connection ${times}` : times === 0 ? 'opening' : 'closed, reconnecting'}
      </span>
    </p>
  );
}

function QuoteCard({ productId }: { readonly productId: string }) {
  const quote = useLive(getQuote, { productId });
  return (
    <article className="card stack">
      <div>
        <h3 className="soft">{quote.product_id}</h3>
        <p className="middle num">{PRICE.format(quote.price)}</p>
      </div>
      <Sparkline value={quote.price} moment={quote.trade_id} />
    </article>
  );
}

// This vote does not go through Rejoin, as if another user had voted. Only the event changes the number.
function Ballots() {
  const list = useLive(getBallots, shown);
  return (
    <ul className="card lines">
      {list.map((post) => (
        <li key={keyOf(post)} className="row apart">
          <span>{post.title}</span>
          <span className="row one-line" style={{ flex: 'none' }}>
            <strong className="num">{post.votes}</strong>
            <button
              type="button"
              className="button tiny"
              onClick={() => void fetch(`/api/posts/${post.id}/votes`, { method: 'POST' })}
            >
              Vote as another user <span className="visually-hidden">for {post.title}</span>
            </button>
          </span>
        </li>
      ))}
    </ul>
  );
}
