import {
  Controller,
  type EndpointInterface,
  Entity,
  type Platform,
  platform as realPlatform,
} from '../../src/index.ts';
import { settled } from '../reliability/network/clock.ts';

export class Owner extends Entity {
  id = 0;
  name = '';
  team = '';
  static override key = 'Owner';
}

export class Task extends Entity {
  id = 0;
  title = '';
  state = '';
  owner: Owner | null = null;
  watchers: Owner[] = [];
  static override key = 'Task';
  static override schema = { owner: Owner, watchers: [Owner] };

  get isDone(): boolean {
    return this.state === 'done';
  }
}

type Answer = (url: URL, method: string, body: unknown) => unknown;

/** A controller, a server that is a function, and the requests to it. */
export class Screen {
  readonly controller = new Controller();
  readonly platform: Platform;
  asked: string[] = [];

  constructor(answer: Answer) {
    const fetch = async (url: string, { method = 'GET', body }: RequestInit = {}): Promise<Response> => {
      this.asked.push(`${method} ${url}`);
      const said = answer(new URL(url, 'http://here'), method, typeof body === 'string' ? JSON.parse(body) : undefined);
      if (said instanceof Response) return said;
      return said === undefined ? new Response(null, { status: 204 }) : Response.json(said);
    };
    this.platform = { ...realPlatform, fetch };
  }

  /** Fetches and shows the answers of an endpoint, and then clears the list of requests. */
  async show(endpoint: EndpointInterface, ...all: readonly object[]): Promise<void> {
    for (const args of all) {
      // oxlint-disable-next-line no-await-in-loop -- one list after another
      await this.controller.fetch(endpoint, args);
      this.controller.watch(endpoint, args, () => {});
    }
    await settled();
    this.asked = [];
  }

  /** Runs an action, and returns the reads that follow. */
  async after(run: () => Promise<unknown>): Promise<readonly string[]> {
    this.asked = [];
    await run();
    await settled();
    return this.asked.filter((line) => line.startsWith('GET ')).map((line) => line.slice(4));
  }
}
