import { Endpoint, type EndpointInterface, type Entity, Invalidate } from '../../src/index.ts';
import { settled } from './transport.ts';

/** A record on a server, or on its way there. */
export interface SavedRecord {
  id: string | undefined;
  state: 'pending' | 'saved' | 'gone';
}

/** A record that the server has. */
export function isSaved<Saved extends SavedRecord>(record: Saved): record is Saved & { readonly id: string } {
  return record.state === 'saved';
}

/** The requests in flight, each of which the test ends with a success or with a failure, and the endpoints that change one record. */
export class WaitingRequests<Saved extends SavedRecord> {
  readonly #ends: ((isDone: boolean) => void)[] = [];
  readonly #find: (id: string) => Saved | undefined;
  #texts = 0;
  /** How many records were created. */
  created = 0;

  /** `find` returns the record of the server with this id. */
  constructor(find: (id: string) => Saved | undefined) {
    this.#find = find;
  }

  get size(): number {
    return this.#ends.length;
  }

  /** Sends a request, which ends later. Without `failed`, it never fails. */
  send(answerOf: () => unknown, failed?: () => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#ends.push((isDone) => {
        if (isDone || failed === undefined) return resolve(answerOf());
        failed();
        reject(new Error('refused'));
      });
    });
  }

  /** Sends a request that creates a record. */
  save(record: Saved, answerOf: () => unknown): Promise<unknown> {
    return this.send(
      () => {
        record.state = 'saved';
        record.id = `${++this.created}`;
        return answerOf();
      },
      () => (record.state = 'gone'),
    );
  }

  /** Ends a request. */
  async end(at: number, isDone: boolean): Promise<void> {
    const [end] = this.#ends.splice(at, 1);
    end?.(isDone);
    await settled();
  }

  /** Returns the endpoint that deletes a record. The server deletes it at once, and answers later. */
  deletionOf(entity: typeof Entity): EndpointInterface {
    const remove = ({ id }: { id: string }): Promise<unknown> => {
      const record = this.#find(id);
      if (record !== undefined) record.state = 'gone';
      return this.send(() => ({ id }));
    };
    return new Endpoint(remove, {
      name: 'delete',
      schema: new Invalidate(entity),
      sideEffect: true,
      getOptimisticResponse: (_: unknown, { id }: { id: string }) => ({ id }),
    });
  }

  /** Returns the endpoint that changes the text of a record. */
  editOf(entity: typeof Entity): EndpointInterface {
    const edited = (id: string): object => ({ id, text: `${++this.#texts}` });
    return new Endpoint(({ id }: { id: string }): Promise<unknown> => this.send(() => edited(id)), {
      name: 'edit',
      schema: entity,
      sideEffect: true,
      getOptimisticResponse: (_: unknown, { id }: { id: string }) => edited(id),
    });
  }
}
