// These packages have no types. This file declares the members that the tests use.
declare module 'fortune' {
  interface Store {
    create(type: string, records: readonly object[]): Promise<unknown>;
  }
  // oxlint-disable-next-line import/no-default-export -- it is what the package has
  export default function fortune(types: Readonly<Record<string, object>>): Store;
}
declare module 'fortune-json-api' {
  const serializer: unknown;
  // oxlint-disable-next-line import/no-default-export -- it is what the package has
  export default serializer;
}
declare module 'fortune-http' {
  import type { IncomingMessage, ServerResponse } from 'node:http';
  type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;
  // oxlint-disable-next-line import/no-default-export -- it is what the package has
  export default function listen(store: unknown, options: { readonly serializers: readonly unknown[] }): Listener;
}
declare module 'halson' {
  interface Halson {
    addLink(rel: string, href: string): Halson;
    addEmbed(rel: string, embedded: object | readonly object[]): Halson;
  }
  // oxlint-disable-next-line import/no-default-export -- it is what the package has
  export default function halson(record: object): Halson;
}
