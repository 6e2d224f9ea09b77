import { useEffect, useReducer, useRef } from 'react';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';

/** If more renders in a row than this have a new schema, it may be created in render. */
const MAX_CHANGES = 20;
/** How many renders without another cause are tried then. A schema that depends on the text of a search stays the same in them. */
const TRIES = 3;

/** In development, throws if a schema is created again in each render: no value that is read by it could be cached. */
export function useStable(schema: unknown, name: string | undefined): void {
  inDevelopment(() => {
    // oxlint-disable-next-line react-hooks/rules-of-hooks -- the same hooks in each render
    const last = useRef({ schema, changes: 0 });
    // oxlint-disable-next-line react-hooks/rules-of-hooks
    const [, tryAgain] = useReducer((tries: number) => tries + 1, 0);
    // oxlint-disable-next-line react-hooks/rules-of-hooks
    useEffect(() => {
      const changes = schema === last.current.schema ? 0 : last.current.changes + 1;
      last.current = { schema, changes };
      if (changes <= MAX_CHANGES) return;
      if (changes <= MAX_CHANGES + TRIES) return tryAgain();
      throw new DataError('schema-unstable', `The schema of ${name ?? 'a query'} is created again in each render.`, {
        cure: 'Create it outside of the component, or with useMemo().',
      });
    });
  });
}
