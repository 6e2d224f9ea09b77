import { Collection, Entity, RestEndpoint } from 'rejoin';

export class Item extends Entity {
  id = 0;
  name = '';
  warehouse = '';
  quantity = 0;
  price = '0';
  updatedAt = '';
  static key = 'Item';
}

export const getItems = new RestEndpoint({ urlPrefix: '/api', path: '/items', schema: new Collection([Item]) });
