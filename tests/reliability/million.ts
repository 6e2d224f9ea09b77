import { Collection, Entity, Store } from '../../src/index.ts';

class Row extends Entity {
  id = '';
  title = '';
  ownerId = 0;
  done = false;
  static override key = 'Row';
}

class Link extends Entity {
  id = '';
  next: Link | undefined = undefined;
  static override key = 'Link';
  static override schema: Record<string, unknown> = {};
}
Link.schema = { next: Link };

/** Writes a chain of nested records, and returns how many records can be reached from the first one. */
export function measureDepth(length: number): number {
  let record: object = { id: String(length - 1) };
  for (let at = length - 2; at >= 0; at--) record = { id: String(at), next: record };
  const store = new Store();
  store.write(Link, record);
  let linked = 0;
  for (let link = store.get(Link, { id: '0' }); link !== undefined; link = link.next) linked++;
  return linked;
}

export interface Size {
  readonly rows: number;
  readonly writeMs: number;
  readonly readMs: number;
  readonly heapMb: number;
  readonly rssMb: number;
  readonly isRight: boolean;
}

/** Writes very many rows in one response and reads them for the first time. Run it in a process of its own. */
export function measureSize(rows: number): Size {
  const response = Array.from({ length: rows }, (_, at) => ({
    id: `r${at}`,
    title: `title ${at % 1000}`,
    ownerId: at % 100,
    done: at % 3 === 0,
  }));
  const list = new Collection([Row]);
  const store = new Store({ frozen: false });
  const start = performance.now();
  store.write(list, response, { args: [] });
  const written = performance.now();
  const value = store.get(list) as readonly Row[];
  const read = performance.now();
  const last = value[rows - 1];
  const { heapUsed, rss } = process.memoryUsage();
  return {
    rows,
    writeMs: Math.round(written - start),
    readMs: Math.round(read - written),
    heapMb: Math.round(heapUsed / 2 ** 20),
    rssMb: Math.round(rss / 2 ** 20),
    isRight:
      value.length === rows &&
      last instanceof Row &&
      last.id === `r${rows - 1}` &&
      store.get(Row, { id: 'r0' }) === value[0],
  };
}
