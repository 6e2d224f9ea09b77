import { Entity, pkOfField } from './entity.ts';
import type { AbstractInstanceType } from './infer-schema.ts';
import type { EntityOptions, Mixed, MixinBase } from './infer-mixin.ts';

/**
 * Makes any class an entity. What the class has already (its own `pk`, statics of the same name) it keeps, unless
 * `options` say otherwise.
 */
export function EntityMixin<
  Base extends MixinBase,
  Options extends EntityOptions<AbstractInstanceType<Base>> = EntityOptions<AbstractInstanceType<Base>>,
>(Base: Base, options?: Options): Mixed<Base, Options> {
  abstract class MixedEntity extends Base {}
  // A subclass has a name of its own; the class itself goes by the name of the class that it was made from.
  define(MixedEntity, 'name', Base.name);
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(Entity))) {
    if (!(name in Base)) Object.defineProperty(MixedEntity, name, descriptor);
  }
  if (!('pk' in Base.prototype)) define(MixedEntity.prototype, 'pk', Entity.prototype.pk);
  for (const [name, value] of Object.entries(options ?? {})) {
    if (name === 'pk') define(MixedEntity.prototype, name, pkMethod(value));
    else define(MixedEntity, name, value);
  }
  // The compiler cannot see members that are defined in a loop.
  return MixedEntity as unknown as Mixed<Base, Options>;
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });
}

function pkMethod(pk: unknown): Entity['pk'] {
  if (typeof pk === 'function') {
    return function (this: unknown, parent, key) {
      return Reflect.apply(pk, undefined, [this, parent, key]);
    };
  }
  return function (this: unknown) {
    return pkOfField(this, String(pk));
  };
}
