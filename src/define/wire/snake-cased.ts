import { type FieldErrors, reasonsOf } from '../rest/error-reasons.ts';
import { camelCase, camelCaseKeys, snakeCaseKeys } from '../rest/key-case.ts';
import type { Wire } from '../rest/wire-shape.ts';

/** Returns a wire whose fields and search parameters are `due_on` on the wire and `dueOn` in the class, at every depth. */
export function snakeCased<Refs extends string, Only, Page>(wire: Wire<Refs, Only, Page>): Wire<Refs, Only, Page> {
  return {
    ...wire,
    // The links of HAL have the names of relation types, and not of fields.
    read: (answer, endpoint, headers) => camelCaseKeys(wire.read(answer, endpoint, headers), { skip: ['_links'] }),
    write: (body, endpoint, call) => snakeCaseKeys(wire.write?.(body, endpoint, call) ?? body),
    search: (params) => snakeCaseKeys(wire.search?.(params) ?? params),
    reasons(data) {
      const { message, fieldErrors } = wire.reasons?.(data) ?? reasonsOf(data);
      const names = Object.entries(fieldErrors ?? {}).map(([name, texts]) => [camelCase(name), texts] as const);
      const renamed: FieldErrors = Object.fromEntries(names);
      return { message, fieldErrors: fieldErrors && renamed };
    },
  };
}
