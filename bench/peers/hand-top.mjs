import BTreeModule from 'sorted-btree';

const BTree = BTreeModule.default ?? BTreeModule;

const byVolume = (a, b) => b.volume - a.volume || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
const LOWEST = { volume: -Infinity, id: '' };

/** A B-tree from stats to currencies, the highest volume first. The first 20 are read again when one of them changes. */
class Top {
  #tree = new BTree(undefined, byVolume);
  #currencies;
  #window = [];
  #last = LOWEST;

  constructor(currencies, stats) {
    this.#currencies = new Map(currencies.map((currency) => [`${currency.id}-USD`, currency]));
    for (const [id, currency] of this.#currencies) this.#tree.set(stats.get(id), currency);
    this.#read();
  }

  get window() {
    return this.#window;
  }

  change(old, row) {
    const currency = this.#currencies.get(row.id);
    if (currency === undefined) return;
    this.#tree.delete(old);
    this.#tree.set(row, currency);
    if (byVolume(old, this.#last) <= 0 || byVolume(row, this.#last) <= 0) this.#read();
  }

  #read() {
    this.#window = [];
    this.#last = LOWEST;
    for (const [row, currency] of this.#tree.entries()) {
      if (this.#window.push(currency) < 20) continue;
      this.#last = row;
      break;
    }
  }
}

export function liveTop({ currencies, stats, queries }) {
  const rows = new Map(stats.map((row) => [row.id, row]));
  const inQuery = (query) => currencies.filter((currency) => queries === 1 || currency.tier === query % 10);
  const tops = Array.from({ length: queries }, (_, query) => new Top(inQuery(query), rows));
  return {
    update(id, volume) {
      const old = rows.get(id);
      const row = { ...old, volume };
      rows.set(id, row);
      for (const top of tops) top.change(old, row);
    },
    top: (query) => tops[query].window.map((currency) => currency.id),
  };
}
