import {
  Entity,
  type Platform,
  type RestCall,
  type RestEndpoint,
  RestEndpoint as Rest,
  resource,
  retrying,
} from '../../../src/index.ts';
import { FAILED, FRESH } from './notes.ts';

export class User extends Entity {
  id = '';
  name = '';
  static override key = 'users';
}
export class Post extends Entity {
  id = '';
  title = '';
  author: User | undefined = undefined;
  static override key = 'posts';
  static override schema = { author: User };
}
export class Todo extends Entity {
  id = '';
  userId = '';
  title = '';
  done = '';
  static override key = 'todos';
}

const ORIGIN = 'https://api.test';

/** The options of the endpoints of a client. */
export interface World {
  readonly platform: Platform;
  readonly timeout: number;
  readonly retries: number;
  /** The number of the request that is about to be sent. */
  readonly call: () => number;
  readonly token: () => string | undefined;
  /** Called for every body that was read. */
  readonly onRead: (response: Response, value: unknown) => void;
}

/** The endpoints of one client. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- worked out from the resources
export function resourcesOf({ platform, timeout, retries, call, token, onRead }: World) {
  const numbers = new WeakMap<RestCall, number>();
  const shared = {
    urlPrefix: ORIGIN,
    platform,
    timeout,
    retry: retrying({ limit: retries, baseDelay: 200, maxDelay: 5000 }),
    optimistic: true,
    dataExpiryLength: FRESH,
    errorExpiryLength: FAILED,
    getHeaders: (headers: Record<string, string>) => ({ ...headers, Authorization: token() ?? '' }),
    // Runs for each try of a request. All of them have the number of the request.
    getRequestInit(this: unknown, body: unknown, sent?: RestCall): RequestInit {
      const init = Rest.prototype.getRequestInit.call(this as RestEndpoint, body) as RequestInit;
      const number = (sent && numbers.get(sent)) ?? call();
      if (sent) numbers.set(sent, number);
      return { ...init, headers: { ...(init.headers as Record<string, string>), 'X-Call': String(number) } };
    },
    async parseResponse(this: unknown, response: Response): Promise<unknown> {
      const value: unknown = await Rest.prototype.parseResponse.call(this as RestEndpoint, response);
      onRead(response, value);
      return value;
    },
  } as const;
  const users = resource({ ...shared, path: '/users/:id', schema: User });
  const posts = resource({ ...shared, path: '/posts/:id', schema: Post });
  const todos = resource({ ...shared, path: '/todos/:id', schema: Todo });
  return { users, posts, todos, keyedCreate: todos.create.extend({ idempotencyKey: true }) };
}
export type Resources = ReturnType<typeof resourcesOf>;
