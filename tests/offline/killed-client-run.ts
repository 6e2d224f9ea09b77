import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { Postgres, quoted } from './postgres.ts';

/** The tables, and a function that carries out each idempotency key once. */
const SCHEMA = `
  create table tasks (id serial primary key, title text not null);
  create table answers (key text primary key, answer json);
  create table effects (place serial primary key, task int not null, title text not null);
  create function carry_out(given_key text, given_id int, given_title text) returns json language plpgsql as $$
  declare
    known json;
    changed int;
  begin
    insert into answers values (given_key, null) on conflict do nothing;
    if not found then
      select answer into known from answers where key = given_key;
      return known;
    end if;
    if given_id is null then
      insert into tasks (title) values (given_title) returning id into changed;
    else
      update tasks set title = given_title where id = given_id returning id into changed;
    end if;
    insert into effects (task, title) values (changed, given_title);
    known := json_build_object('id', changed::text, 'title', given_title);
    update answers set answer = known where key = given_key;
    return known;
  end $$`;

export interface ClientRunOutcome {
  readonly edits: number;
  readonly saved: number;
  readonly kills: number;
  readonly restarts: number;
  readonly lostAnswers: number;
  readonly wrong: readonly string[];
}

/** A client with an outbox in files, a server, and its database. Each of the three is killed at random. */
class ClientRun {
  readonly #database: Postgres;
  readonly #folder = mkdtempSync(join(tmpdir(), 'rejoin-client-'));
  readonly #saved = new Set<string>();
  #server: Server | undefined;
  #port = 0;
  #client: ChildProcess | undefined;
  #random: number;
  #isCalm = false;
  #onLine: (line: string) => void = () => {};
  lostAnswers = 0;

  constructor(programs: string, seed: number) {
    this.#database = new Postgres(programs);
    this.#random = seed;
  }

  #draw(below: number): number {
    return (this.#random = (this.#random * 48_271) % 2_147_483_647) % below;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      let body = '';
      for await (const piece of request) body += String(piece);
      const { title } = JSON.parse(body) as { readonly title: string };
      const id = request.method === 'POST' ? 'null' : quoted(request.url?.split('/')[2] ?? '');
      const key = quoted(String(request.headers['idempotency-key']));
      const [answer] = await this.#database.run(`select carry_out(${key}, ${id}, ${quoted(title)})`);
      if (answer === undefined) return void response.writeHead(500).end();
      const isLost = !this.#isCalm && this.#draw(6) === 0;
      if (isLost) this.lostAnswers++;
      if (isLost) return void response.destroy();
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    } catch {
      response.destroy();
    }
  }

  async #open(): Promise<void> {
    this.#server = createServer((...exchange) => void this.#answer(...exchange)).listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async #close(): Promise<void> {
    const closed = once(this.#server as Server, 'close');
    this.#server?.close();
    this.#server?.closeAllConnections();
    await closed;
  }

  async #restart(): Promise<void> {
    await Promise.all([this.#close(), this.#database.kill()]);
    await this.#database.start();
    await this.#open();
  }

  #line(wanted: (line: string) => boolean): Promise<string> {
    return new Promise((resolve) => {
      this.#onLine = (line) => wanted(line) && resolve(line);
    });
  }

  async #startClient(): Promise<void> {
    const script = join(this.#folder, 'client.mjs');
    const client = spawn(process.execPath, [script, `http://127.0.0.1:${this.#port}`, join(this.#folder, 'disk')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#client = client;
    client.stdin.on('error', () => {});
    createInterface({ input: client.stdout }).on('line', (line) => {
      if (/^\d+$/.test(line)) this.#saved.add(line);
      this.#onLine(line);
    });
    await this.#line((line) => line === 'ready');
  }

  async #killClient(): Promise<void> {
    const ended = once(this.#client as ChildProcess, 'exit');
    this.#client?.kill('SIGKILL');
    await ended;
  }

  async #judged(edits: number): Promise<string[]> {
    const effects = (await this.#database.run('select task, title from effects order by place')).map((line) =>
      line.split('|'),
    );
    const titles = effects.map(([, title = '']) => title);
    const wrong: string[] = [];
    for (let edit = 0; edit < edits; edit++) {
      const count = titles.filter((title) => title === `${edit}`).length;
      if (count > 1 || (count === 0 && this.#saved.has(`${edit}`))) wrong.push(`the edit ${edit} has ${count} effects`);
    }
    const last = new Map<string, number>();
    for (const [task = '', title] of effects) {
      if (Number(title) < (last.get(task) ?? 0)) wrong.push(`the edit ${title} of the task ${task} came too late`);
      last.set(task, Number(title));
    }
    return wrong;
  }

  async run(edits: number): Promise<ClientRunOutcome> {
    let [kills, restarts] = [0, 0];
    const alias = {
      'rejoin/persist': './src/persist.ts',
      'rejoin/outbox': './src/outbox.ts',
      rejoin: './src/index.ts',
    };
    await build({
      entryPoints: ['tests/offline/killed-client.ts'],
      outfile: join(this.#folder, 'client.mjs'),
      ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20', alias, logLevel: 'silent' },
    });
    /* oxlint-disable no-await-in-loop -- one after another */
    try {
      await this.#database.start();
      await this.#database.run(SCHEMA);
      await this.#open();
      await this.#startClient();
      for (let edit = 0; edit < edits; edit++) {
        const isSaved = this.#line((line) => line === `${edit}`);
        this.#client?.stdin?.write(`${edit}\n`);
        const what = edit % 10 === 9 ? (edit % 30 === 29 ? 'restart' : 'kill') : undefined;
        if (what === undefined || this.#draw(2) === 0) await isSaved;
        await new Promise((resolve) => void setTimeout(resolve, this.#draw(20)));
        if (what === 'restart') await this.#restart();
        if (what === 'kill') await this.#killClient().then(() => this.#startClient());
        if (what === 'restart') restarts++;
        else if (what === 'kill') kills++;
      }
      this.#isCalm = true;
      const isEmpty = this.#line((line) => line === 'empty');
      this.#client?.stdin?.write('look\n');
      await isEmpty;
      const wrong = await this.#judged(edits);
      return { edits, saved: this.#saved.size, kills, restarts, lostAnswers: this.lostAnswers, wrong };
    } finally {
      await this.#killClient();
      await this.#close();
      await this.#database.end();
      rmSync(this.#folder, { recursive: true, force: true });
    }
    /* oxlint-enable no-await-in-loop */
  }
}

/** Makes `edits` edits, and kills the client, the server and the database meanwhile. */
export function runKilledClient(programs: string, edits: number, seed: number): Promise<ClientRunOutcome> {
  return new ClientRun(programs, seed).run(edits);
}
