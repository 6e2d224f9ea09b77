import { Entity, pkOfField } from './entity.ts';
import type { AbstractInstanceType } from './infer-schema.ts';
import type { EntityOptions, Mixed, MixinBase } from './infer-mixin.ts';

/**
 * Makes any class an entity. Members that the class already has, such as `pk` or statics, stay as they are, unless `options` replace them.
 */
export function EntityMixin<
  Base extends MixinBase,
  Options extends EntityOptions<AbstractInstanceType<Base>> = EntityOptions<AbstractInstanceType<Base>>,
>(Base: Base, options?: Options): Mixed<Base, Options> {
  abstract class MixedEntity extends Base {}
  // The entity has the name of `Base`. Without this line its name would be MixedEntity.
  define(MixedEntity, 'name', Base.name);
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(Entity))) {
    if (!(name in Base)) Object.defineProperty(MixedEntity, name, descriptor);
  }
  if (!('pk' in Base.prototype)) define(MixedEntity.prototype, 'pk', Entity.prototype.pk);
  for (const [name, value] of Object.entries(options ?? {})) {
    if (name === 'pk') define(MixedEntity.prototype, name, pkMethod(value));
    else define(MixedEntity, name, value);
  }
  // TypeScript does not see members that are defined in a loop.
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
