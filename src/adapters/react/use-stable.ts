import { useEffect, useRef } from 'react';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';

/** If more renders in a row than this have a new schema, the schema counts as created in render. */
const MAX_CHANGES = 20;

/** In development, throws if a schema is created again in each render: no value that is read by it could be cached. */
export function useStable(schema: unknown, name: string | undefined): void {
  inDevelopment(() => {
    // oxlint-disable-next-line react-hooks/rules-of-hooks -- the same hooks in each render
    const last = useRef({ schema, changes: 0 });
    // oxlint-disable-next-line react-hooks/rules-of-hooks
    useEffect(() => {
      const { schema: before, changes } = last.current;
      last.current = { schema, changes: schema === before ? 0 : changes + 1 };
      if (changes <= MAX_CHANGES) return;
      throw new DataError('schema-unstable', `The schema of ${name ?? 'a query'} is created again in each render.`, {
        cure: 'Create it outside of the component, or with useMemo().',
      });
    });
  });
}
