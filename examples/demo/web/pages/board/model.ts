import { arg, avg, Collection, count, Entity, from, hasMany, RestEndpoint, sum } from 'rejoin';

class Warehouse extends Entity {
  name = '';
  static key = 'Warehouse';
  static items = hasMany(() => StockItem, 'warehouse');
  override pk() {
    return this.name;
  }
}

export class StockItem extends Entity {
  id = 0;
  name = '';
  quantity = 0;
  warehouse = Warehouse.fromJS();
  static key = 'StockItem';
  static schema = { warehouse: Warehouse };

  // The API sends only the name of the warehouse. It becomes a record, so that a query can start from warehouses.
  static process(item: { warehouse?: string }) {
    return item.warehouse === undefined ? item : { ...item, warehouse: { name: item.warehouse } };
  }
}

export const getStock = new RestEndpoint({
  urlPrefix: '/api',
  path: '/items',
  searchParams: {} as { limit: number },
  schema: new Collection([StockItem]),
});

const short = Warehouse.items.where({ quantity: { lte: arg('atMost') } });

/** Each warehouse with its scarcest items, and the number of items that run short. */
export const board = from(Warehouse)
  .orderBy('name')
  .with({ scarcest: Warehouse.items.orderBy('quantity').limit(6), short: short.count() });

/** The total stock of each warehouse. */
export const stock = from(StockItem).groupBy((item) => item.warehouse.name, {
  items: count(),
  pieces: sum((item) => item.quantity),
  mean: avg((item) => item.quantity),
});
