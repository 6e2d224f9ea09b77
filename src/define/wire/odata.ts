import { setOwn } from '../../std/plain.ts';
import type { Wire } from '../rest/wire-shape.ts';
import { envelope, type EnvelopeOptions, type OnlyOf, type RefsOf } from './envelope.ts';
import type { PageValue } from './page.ts';
import { entityIn, isFields, isListed, mapRecords, pkIn } from './records.ts';
import { mapReferencedPks } from './references.ts';

/** The options of `odata`. */
export interface ODataOptions extends Omit<EnvelopeOptions, 'one' | 'many'> {
  /** Fields that bodies send as links (`author@odata.bind`), each with the entity set of the record: `{ author: 'People' }`. */
  readonly bind?: Readonly<Record<string, string>>;
}

type Bound<O> = O extends { readonly bind: infer Bind } ? keyof Bind & string : never;

/** Records as OData 4 sends them: lists in `value`, annotations beside the fields. */
export function odata<const O extends ODataOptions = {}>(
  options?: O,
): Wire<RefsOf<O> | Bound<O>, OnlyOf<O>, PageValue<O>> {
  const inner = envelope({ ...options, many: 'value' });
  const { bind = {}, names = {} }: ODataOptions = options ?? {};
  return {
    ...(inner as Wire<RefsOf<O> | Bound<O>, OnlyOf<O>, PageValue<O>>),
    read(answer, endpoint, headers) {
      if (isListed(endpoint) || !isFields(answer)) return inner.read(answer, endpoint, headers);
      // Annotations of the document are not fields of the record. The ETag is: it is the version of the record.
      const fields = Object.entries(answer).filter(([name]) => !name.startsWith('@odata.') || name === '@odata.etag');
      const record: unknown = inner.read(Object.fromEntries(fields), endpoint, headers);
      return endpoint.sideEffect && pkIn(entityIn(endpoint.schema), record) === undefined ? null : record;
    },
    write(body, endpoint, call) {
      const bound = mapRecords(body, (record) => {
        const written = { ...record };
        for (const [field, set] of Object.entries(bind)) {
          const value = written[field];
          Reflect.deleteProperty(written, field);
          const link = (pk: string): string => `${set}(${keyOf(pk)})`;
          const name = `${names[field] ?? field}@odata.bind`;
          if (value !== undefined) setOwn(written, name, mapReferencedPks(value, field, endpoint, link));
        }
        return written;
      });
      const written = inner.write?.(bound, endpoint, call) as object;
      return Array.isArray(written) ? { value: written } : written;
    },
  };
}

/** Returns a key as OData writes it: numbers and GUIDs as they are, anything else in quotes. */
function keyOf(pk: string): string {
  const isBare = /^\d+$/.test(pk) || isGuid(pk);
  return isBare ? pk : `'${pk.replaceAll("'", "''")}'`;
}

function isGuid(text: string): boolean {
  const parts = text.split('-');
  return (
    parts.map(({ length }) => length).join('-') === '8-4-4-4-12' && parts.every((part) => /^[\da-f]+$/i.test(part))
  );
}
