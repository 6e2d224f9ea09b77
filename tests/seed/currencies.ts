import { Entity } from 'rejoin';

/** A currency and its stats, joined by a key that neither response has. */
export class Stats extends Entity {
  product_id = '';
  volume = 0;
  price = 0;
  override pk(): string {
    return this.product_id;
  }
  static override key = 'Stats';
  static override schema = { volume: Number, price: Number };

  get volume_usd(): number {
    return this.volume * this.price;
  }
}
export class Currency extends Entity {
  id = '';
  name = '';
  stats = Stats.fromJS();
  override pk(): string {
    return this.id;
  }
  static override key = 'Currency';
  static override schema = { stats: Stats };

  static override process(input: { id: string }): object {
    return { ...input, stats: `${input.id}-USD` };
  }
}
