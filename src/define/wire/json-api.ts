import { setOwn, type Fields } from '../../std/plain.ts';
import { camelCase } from '../rest/key-case.ts';
import type { Wire, WireEndpoint } from '../rest/wire-shape.ts';
import type { RestCall } from '../rest/params-and-body.ts';
import { searchText } from '../rest/url.ts';
import type { EntityInterface } from '../schema/entity.ts';
import { type PageValue, pageReader, type PageOptions } from './page.ts';
import { answerUnexpected, entityIn, isFields, isListed, mapRecords, recordKind, pkIn, valueAt } from './records.ts';
import { mapReferencedPks } from './references.ts';

/** The options of `jsonApi`. */
export interface JsonApiOptions extends PageOptions {
  /** Fields that refer to other records, each with the JSON:API type of those records: `{ author: 'people' }`. */
  readonly relations?: Readonly<Record<string, string>>;
}

type RelationName<O> = O extends { readonly relations: infer Relations } ? keyof Relations & string : never;

/** A resource object: a record in the form of JSON:API. */
interface ResourceObject {
  readonly type: string;
  readonly id: string;
  readonly attributes?: Fields;
  readonly relationships?: Readonly<
    Record<string, { readonly data?: ResourceObject | readonly ResourceObject[] | null } | null>
  > | null;
}

/** Records as JSON:API sends them. Attributes and relationships become fields. Included records replace the references to them. */
export function jsonApi<const O extends JsonApiOptions = {}>(
  type: string,
  options?: O,
): Wire<RelationName<O>, {}, PageValue<O>> {
  const page = pageReader(options ?? {});
  return {
    mediaType: 'application/vnd.api+json',
    list: page.list,
    read(answer: unknown, endpoint, headers) {
      const data = valueAt(answer, 'data');
      const isList = isListed(endpoint);
      // The answer of a mutation may have no data.
      if (data === undefined && endpoint.sideEffect) return null;
      if (data === undefined || (isList && !Array.isArray(data)))
        throw answerUnexpected(
          endpoint,
          answer,
          `Expected { data${isList ? ': […]' : ''} }, as JSON:API has it. For another form write wire: envelope().`,
        );
      const records = withIncluded(answer as Fields, data, endpoint.schema);
      return isList ? page.read(records, answer, endpoint, headers) : records;
    },
    write(body, endpoint, call) {
      const relations = options?.relations ?? {};
      return { data: mapRecords(body, (record) => toResourceObject(record, type, relations, endpoint, call)) };
    },
    search: (params) => Object.fromEntries(Object.entries(params).flatMap(([name, value]) => flatParams(name, value))),
  };
}

/** Returns the records of a document. A field whose schema is a class gets the included record. Other references become pks. */
function withIncluded(document: Fields, data: unknown, schema: unknown): unknown {
  const parts = [data, document['included'] ?? []].flat() as readonly (ResourceObject | null)[];
  const known = new Map(parts.map((part) => [nameOf(part), part]));
  const made = new Map<string, object>();
  const waiting: (readonly [ResourceObject, object, EntityInterface | undefined])[] = [];
  const begin = (resource: ResourceObject | null, expected: unknown): unknown => {
    if (resource === null) return null;
    const name = nameOf(resource);
    const record = made.get(name) ?? { type: resource.type, id: resource.id, ...resource.attributes };
    if (!made.has(name)) waiting.push([resource, record, entityIn(expected) ?? recordKind(expected, record)]);
    made.set(name, record);
    return record;
  };
  const records = Array.isArray(data)
    ? data.map((one) => begin(one as ResourceObject, schema))
    : begin(data as ResourceObject, schema);
  // A stack in place of recursion: included records can refer to each other in chains of any length.
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [{ relationships }, record, entity] = next;
    for (const [field, relationship] of Object.entries(relationships ?? {})) {
      const related = relationship?.data;
      // `snakeCased` converts the names afterwards.
      const relatedSchema = entity?.schema[field] ?? entity?.schema[camelCase(field)];
      const link = (one: ResourceObject): unknown => {
        const isOfKinds = recordKind(relatedSchema, one) !== undefined;
        const whole = (isOfKinds || entityIn(relatedSchema)) && known.get(nameOf(one));
        if (whole) return begin(whole, relatedSchema);
        // A pk alone does not say which of several classes the record has, so the type is kept with it.
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

/** Returns a body as a resource object. */
function toResourceObject(
  body: Fields,
  type: string,
  relations: Readonly<Record<string, string>>,
  endpoint: WireEndpoint,
  call: RestCall | undefined,
): object {
  const { id, type: _type, ...fields } = body;
  // A record that is not saved yet has the default of its class, or null.
  const isNew = id === null || id === undefined || id === '';
  const ownId = isNew ? pkIn(entityIn(endpoint.schema), call?.params) : (id as string | number);
  const [attributes, relationships] = [{}, {}];
  for (const [field, value] of Object.entries(fields)) {
    const relatedType = Object.hasOwn(relations, field) ? relations[field] : undefined;
    if (relatedType === undefined) setOwn(attributes, field, value);
    else if (value !== undefined) {
      const data = mapReferencedPks(value, field, endpoint, (pk) => ({ type: relatedType, id: pk }));
      setOwn(relationships, field, { data });
    }
  }
  return {
    type,
    ...(ownId !== undefined && { id: String(ownId) }),
    attributes,
    ...(Object.keys(relationships).length > 0 && { relationships }),
  };
}

/** Writes `{ page: { limit: 1 } }` as `page[limit]=1`, and joins lists with commas. */
function flatParams(name: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) {
    const given: readonly unknown[] = value.filter((one) => one !== undefined);
    return [[name, given.map((one) => searchText(one, name)).join(',')]];
  }
  if (!isFields(value)) return [[name, value]];
  return Object.entries(value).flatMap(([inner, part]) => flatParams(`${name}[${inner}]`, part));
}
