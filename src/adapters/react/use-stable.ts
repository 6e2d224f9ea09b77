import { useEffect, useRef } from 'react';
import { DataError } from '../../std/data-error.ts';
import { IS_DEVELOPMENT } from './environment.ts';

/** After this many renders in a row with a new schema, the schema is created in render. */
const TOO_MANY = 20;

/** In development, throws if a schema is created again in each render: no value that is read by it could be cached. */
export function useStable(schema: unknown, name: string | undefined): void {
  if (!IS_DEVELOPMENT) return;
  // oxlint-disable-next-line react-hooks/rules-of-hooks
  const last = useRef({ schema, changes: 0 });
  // oxlint-disable-next-line react-hooks/rules-of-hooks
  useEffect(() => {
    const { schema: before, changes } = last.current;
    last.current = { schema, changes: schema === before ? 0 : changes + 1 };
    if (changes > TOO_MANY) throw unstable(name);
  });
}

function unstable(name: string | undefined): DataError {
  return new DataError(
    'schema-unstable',
    `The schema of ${name ?? 'a query'} is created again in each render. Create it outside of the component, or with useMemo().`,
  );
}
