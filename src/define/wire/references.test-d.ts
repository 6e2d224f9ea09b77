/* oxlint-disable vitest/expect-expect -- the compiler checks the expectations */
import { test } from 'vitest';
import { User } from '../../../tests/model.ts';
import { resource } from '../rest/resource.ts';
import { RestEndpoint } from '../rest/rest-endpoint.ts';
import { Collection } from '../schema/collection.ts';
import { Entity } from '../schema/entity.ts';
import { envelope } from './envelope.ts';

test('the references that a wire names are fields of the records, wherever it is given', () => {
  const right = envelope({ one: 'todo', write: { owner: 'owner_id' } });
  const wrong = envelope({ one: 'todo', write: { ownr: 'owner_id' } });
  class Owned extends Entity {
    id = '';
    owner = User.fromJS();
    static override schema = { owner: User };
  }
  const path = '/owned/:id';
  void resource({ path, schema: Owned, wire: right });
  void new RestEndpoint({ path, schema: Owned, wire: right });
  void new RestEndpoint({ path, schema: [Owned], wire: right });
  void new RestEndpoint({ path, schema: new Collection([Owned]), wire: right });
  void new RestEndpoint({ path, wire: wrong });
  // @ts-expect-error ownr is not a field
  void resource({ path, schema: Owned, wire: wrong });
  // @ts-expect-error ownr is not a field
  void new RestEndpoint({ path, schema: Owned, wire: wrong });
  // @ts-expect-error ownr is not a field
  void new RestEndpoint({ path, schema: [Owned], wire: wrong });
  // @ts-expect-error ownr is not a field
  void new RestEndpoint({ path, schema: new Collection([Owned]), wire: wrong });
  // @ts-expect-error ownr is not a field
  void new RestEndpoint({ path, schema: { items: new Collection([Owned]), next: '' }, wire: wrong });
  const owned = resource({ path, schema: Owned });
  void owned.get.extend({ wire: right });
  // @ts-expect-error ownr is not a field
  void owned.get.extend({ wire: wrong });
  void owned.extend({ update: { wire: right } });
  // @ts-expect-error ownr is not a field
  void owned.extend({ update: { wire: wrong } });
  // @ts-expect-error ownr is not a field
  void owned.extend('more', { wire: wrong });
});
