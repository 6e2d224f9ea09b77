// The package has no types. This file declares the members that the tests use.
declare module 'json-server' {
  import type { RequestListener, ServerResponse } from 'node:http';

  type Handler = (
    request: {
      readonly method: string;
      readonly url: string;
      readonly headers: Record<string, string | undefined>;
      readonly body?: unknown;
    },
    response: ServerResponse,
    next: () => void,
  ) => void;

  const jsonServer: {
    create(): RequestListener & { use(handler: Handler | readonly Handler[]): void };
    defaults(options: { readonly logger: boolean }): readonly Handler[];
    router(db: object): Handler;
    readonly bodyParser: readonly Handler[];
  };
  // oxlint-disable-next-line import/no-default-export -- it is what the package has
  export default jsonServer;
}
