import { BigNumber } from 'bignumber.js';
import { Entity } from 'rejoin';
import { Temporal } from 'temporal-polyfill';

/** A price with every digit of the server, and the instant of its last change. */
export class ExchangePrice extends Entity {
  exchangePair = '';
  updatedAt = Temporal.Instant.fromEpochMilliseconds(0);
  price = BigNumber(0);
  override pk(): string {
    return this.exchangePair;
  }
  static override key = 'ExchangePrice';
  static override schema = { updatedAt: Temporal.Instant.from, price: BigNumber };
}
