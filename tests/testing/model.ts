import { Endpoint, RestEndpoint, resource } from '../../src/index.ts';
import { Todo } from '../model.ts';

export { Todo };

/** Records the requests that the endpoints below send if no fixture answers. */
export const sent: string[] = [];

async function unreachable(what: string): Promise<never> {
  sent.push(what);
  throw new Error(`${what} was sent`);
}

export const TodoResource = resource({
  path: '/todos/:id',
  urlPrefix: 'http://api.test',
  schema: Todo,
  optimistic: true,
  fetchResponse: async (url: string, init: RequestInit) => unreachable(`${init.method} ${url}`),
});

export const getTodo = new RestEndpoint({
  path: '/todos/:id',
  urlPrefix: 'http://api.test',
  schema: Todo,
  name: 'getTodo',
  fetchResponse: async (url: string, init: RequestInit) => unreachable(`${init.method} ${url}`),
});

export const count = new Endpoint(async (name: string): Promise<{ count: number }> => unreachable(`count ${name}`), {
  name: 'count',
});
