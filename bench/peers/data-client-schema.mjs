/**
 * The newest `@data-client/endpoint` that can be installed has an older protocol than `@data-client/normalizr` 0.18.
 * These classes have the newer protocol, and take everything else from it (pk, process, merge, createIfValid, fromJS).
 */
import { Entity as OlderEntity } from '@data-client/endpoint';
import { INVALID } from '@data-client/normalizr';

export class Entity extends OlderEntity {
  pk() {
    return this.id;
  }

  static normalize(input, parent, field, delegate) {
    const row = this.process(input, parent, field, delegate.args);
    const pk = this.pk(row, parent, field, delegate.args);
    if (pk === undefined || pk === '') throw new Error(`no pk for ${this.key}`);
    if (delegate.checkLoop(this.key, pk, input)) return pk;
    if (this.validate(row)) throw new Error(this.validate(row));
    for (const name of Object.keys(this.schema)) {
      if (Object.hasOwn(row, name)) row[name] = delegate.visit(this.schema[name], row[name], row, name);
    }
    delegate.mergeEntity(this, pk, row);
    return pk;
  }

  static denormalize(instance, delegate) {
    if (typeof instance === 'symbol') return instance;
    for (const name of Object.keys(this.schema)) {
      const value = delegate.unvisit(this.schema[name], instance[name]);
      if (typeof value === 'symbol') {
        if (this.defaults[name]) return value;
        instance[name] = undefined;
      } else {
        instance[name] = value;
      }
    }
    return instance;
  }

  static queryKey(args, unvisit, delegate) {
    const pk = `${args[0].id}`;
    return delegate.getEntity(this.key, pk) === undefined ? undefined : pk;
  }
}

/** A list that is a row of its own. `push` adds a member to its end. */
export class Listing {
  constructor(entity, incoming = 'replaces') {
    this.key = `[${entity.key}]`;
    this.schema = [entity];
    this.incoming = incoming;
    if (incoming === 'replaces') this.push = new Listing(entity, 'adds');
  }

  pk() {
    return '{}';
  }

  normalize(input, parent, field, delegate) {
    const items = Array.isArray(input) ? input : [input];
    delegate.mergeEntity(this, '{}', delegate.visit(this.schema, items, parent, field));
    return '{}';
  }

  merge(existing, incoming) {
    return this.incoming === 'adds' ? [...existing, ...incoming] : incoming;
  }

  mergeWithStore(existingMeta, incomingMeta, existing, incoming) {
    return this.merge(existing, incoming);
  }

  mergeMetaWithStore(existingMeta, incomingMeta) {
    return incomingMeta;
  }

  createIfValid(row) {
    return [...row];
  }

  denormalize(row, delegate) {
    return typeof row === 'symbol' ? row : delegate.unvisit(this.schema, row);
  }

  queryKey(args, unvisit, delegate) {
    return delegate.getEntity(this.key, '{}') === undefined ? undefined : '{}';
  }
}

/** Applies a function to the value of a list schema. */
export class Query {
  constructor(schema, compute) {
    this.schema = schema;
    this.compute = compute;
  }

  normalize(input, parent, field, delegate) {
    return delegate.visit(this.schema, input, parent, field);
  }

  denormalize(stored, delegate) {
    const value = delegate.unvisit(this.schema, stored);
    return typeof value === 'symbol' ? value : this.compute(value, ...delegate.args);
  }

  queryKey(args, unvisit) {
    return unvisit(this.schema, args);
  }
}

/** The schema of a response that deletes a record. */
export class Invalidate {
  constructor(entity) {
    this.entity = entity;
  }

  normalize(input, parent, field, delegate) {
    const pk = this.entity.pk(input);
    delegate.invalidate(this.entity, pk);
    return pk;
  }

  denormalize() {
    return INVALID;
  }
}
