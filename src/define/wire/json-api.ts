import { setOwn, type Fields } from '../../std/plain.ts';
import type { Wire, WireEndpoint } from '../rest/wire-shape.ts';
import type { RestCall } from '../rest/params-and-body.ts';
import type { EntityInterface } from '../schema/entity.ts';
import { type PageValue, pageOf, type PageOptions } from './page.ts';
import { answerUnexpected, entityIn, isFields, isListed, kindOf, pkIn, placeIn } from './records.ts';
import { referredBy } from './references.ts';

export interface JsonApiOptions extends PageOptions {
  /** Fields that refer to other records, and the types of those, as bodies name them: `{ author: 'people' }`. */
  readonly relations?: Readonly<Record<string, string>>;
}

type RelationName<O> = O extends { readonly relations: infer Relations } ? keyof Relations & string : never;

/** A resource object. */
interface ResourceObject {
  readonly type: string;
  readonly id: string;
  readonly attributes?: Fields;
  readonly relationships?: Readonly<
    Record<string, { readonly data?: ResourceObject | readonly ResourceObject[] | null }>
  >;
}

/** Records as JSON:API has them: attributes and relationships become fields, what is included is joined. */
export function jsonApi<const O extends JsonApiOptions = {}>(
  type: string,
  options?: O,
): Wire<RelationName<O>, {}, PageValue<O>> {
  const page = pageOf(options ?? {});
  return {
    mediaType: 'application/vnd.api+json',
    list: page.list,
    read(answer: unknown, endpoint, headers) {
      const data = placeIn(answer, 'data');
      const isList = isListed(endpoint);
      // Of a change, a document may say no more than that it is done.
      if (data === undefined && endpoint.sideEffect) return null;
      if (data === undefined || (isList && !Array.isArray(data)))
        throw answerUnexpected(
          endpoint,
          answer,
          `Expected { data${isList ? ': […]' : ''} }, as JSON:API has it. For another form write wire: envelope().`,
        );
      const records = joined(answer as Fields, data, endpoint.schema);
      return isList ? page.read(records, answer, endpoint, headers) : records;
    },
    write(body, endpoint, call) {
      const relations = options?.relations ?? {};
      const write = (record: object): object => written(record, type, relations, endpoint, call);
      return { data: Array.isArray(body) ? body.map(write) : write(body) };
    },
    search: (params) => Object.fromEntries(Object.entries(params).flatMap(([name, value]) => flat(name, value))),
  };
}

/** The records of a document. Those that fields of their classes refer to are in these fields, and otherwise their pks. */
function joined(document: Fields, data: unknown, schema: unknown): unknown {
  const parts = [data, document['included'] ?? []].flat() as readonly (ResourceObject | null)[];
  const known = new Map(parts.map((part) => [nameOf(part), part]));
  const made = new Map<string, object>();
  const ahead: (readonly [ResourceObject, object, EntityInterface | undefined])[] = [];
  const begin = (resource: ResourceObject | null, of: unknown): unknown => {
    if (resource === null) return null;
    const name = nameOf(resource);
    const record = made.get(name) ?? { type: resource.type, id: resource.id, ...resource.attributes };
    if (!made.has(name)) ahead.push([resource, record, entityIn(of) ?? kindOf(of, record)]);
    made.set(name, record);
    return record;
  };
  const records = Array.isArray(data)
    ? data.map((one) => begin(one as ResourceObject, schema))
    : begin(data as ResourceObject, schema);
  // A list of its own: what is included may refer to more, however far.
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [{ relationships = {} }, record, of] = next;
    for (const [field, { data: related }] of Object.entries(relationships)) {
      const behind = of?.schema[field];
      const link = (one: ResourceObject): unknown => {
        const isOfKinds = kindOf(behind, one) !== undefined;
        const whole = (isOfKinds || entityIn(behind)) && known.get(nameOf(one));
        if (whole) return begin(whole, behind);
        // Which of several kinds it is, a pk alone does not say.
        return isOfKinds ? { type: one.type, id: one.id } : one.id;
      };
      if (related !== undefined)
        setOwn(record, field, Array.isArray(related) ? related.map(link) : related && link(related as ResourceObject));
    }
  }
  return records;
}

function nameOf(resource: ResourceObject | null): string {
  return JSON.stringify([resource?.type, resource?.id]);
}

type NamedFields = Fields & { readonly id?: string | number };

/** The resource object of a body. */
function written(
  body: object,
  type: string,
  relations: Readonly<Record<string, string>>,
  endpoint: WireEndpoint,
  call: RestCall | undefined,
): object {
  const { id = pkIn(entityIn(endpoint.schema), call?.params), type: _type, ...fields } = body as NamedFields;
  const [attributes, relationships] = [{}, {}];
  for (const [field, value] of Object.entries(fields)) {
    const of = Object.hasOwn(relations, field) ? relations[field] : undefined;
    if (of === undefined) setOwn(attributes, field, value);
    else if (value !== undefined) {
      const data = referredBy(value, field, endpoint, (pk) => ({ type: of, id: pk }));
      setOwn(relationships, field, { data });
    }
  }
  return {
    type,
    ...(id !== undefined && { id: String(id) }),
    attributes,
    ...(Object.keys(relationships).length > 0 && { relationships }),
  };
}

/** `{ page: { limit: 1 } }` as `page[limit]=1`, and lists with commas. */
function flat(name: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return [[name, value.join(',')]];
  if (!isFields(value)) return [[name, value]];
  return Object.entries(value).flatMap(([inner, part]) => flat(`${name}[${inner}]`, part));
}
