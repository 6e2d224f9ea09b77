import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';

const VERSIONS = '/usr/lib/postgresql';

/** The folder with the programs of the newest PostgreSQL of Debian; `undefined` if there is none. */
export function postgresHere(): string | undefined {
  const versions = existsSync(VERSIONS)
    ? readdirSync(VERSIONS).toSorted((one, other) => Number(one) - Number(other))
    : [];
  return versions.length === 0 ? undefined : join(VERSIONS, String(versions.at(-1)), 'bin');
}

/** The user that runs the server, because the server refuses to run as root. */
function runner(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** A PostgreSQL of its own, in a temporary folder, that only this process can reach. */
export class Postgres {
  readonly #programs: string;
  readonly #as = runner();
  readonly #folder = mkdtempSync(join(tmpdir(), 'rejoin-postgres-'));
  readonly #data = join(this.#folder, 'data');
  #server: ChildProcess | undefined;
  #client: ChildProcess | undefined;
  #lines: Interface | undefined;
  /** Runs statements one after another. */
  #work: Promise<unknown> = Promise.resolve();
  #count = 0;

  constructor(programs: string) {
    this.#programs = programs;
    chmodSync(this.#folder, 0o755);
    mkdirSync(this.#data);
    const { uid, gid } = this.#as;
    for (const path of [this.#folder, this.#data]) if (uid !== undefined) chownSync(path, uid, gid ?? uid);
    const flags = ['-D', this.#data, '-U', 'app', '--auth=trust', '--no-sync', '--locale=C', '--encoding=UTF8'];
    execFileSync(join(programs, 'initdb'), flags, { ...this.#as, cwd: this.#folder, stdio: 'ignore' });
  }

  async start(): Promise<void> {
    const flags = ['-D', this.#data, '-k', this.#folder, '-c', 'listen_addresses=', '-c', 'fsync=off'];
    const options = { ...this.#as, cwd: this.#folder, stdio: 'ignore' } as const;
    this.#server = spawn(join(this.#programs, 'postgres'), flags, options);
    const isReady = (): boolean => {
      try {
        execFileSync(join(this.#programs, 'pg_isready'), ['-h', this.#folder], { stdio: 'ignore' });
        return true;
      } catch {
        return false;
      }
    };
    while (!isReady()) await new Promise((resolve) => void setTimeout(resolve, 20)); // oxlint-disable-line no-await-in-loop -- until it is ready
    const words = ['-h', this.#folder, '-U', 'app', '-d', 'postgres', '-Atq'];
    this.#client = spawn(join(this.#programs, 'psql'), words, { stdio: ['pipe', 'pipe', 'ignore'] });
    this.#client.stdin?.on('error', () => {});
    this.#lines = createInterface({ input: this.#client.stdout as NonNullable<ChildProcess['stdout']> });
  }

  /** Ends the server at once, also during a statement. */
  async kill(): Promise<void> {
    const server = this.#server as ChildProcess;
    const ended = [once(server, 'exit'), once(this.#client as ChildProcess, 'exit')];
    server.kill('SIGQUIT');
    this.#client?.stdin?.end();
    this.#client?.kill();
    await Promise.all(ended);
    this.#lines?.close();
  }

  /** Runs a statement. Resolves to the lines of its result. Rejects if the server ends meanwhile. */
  run(statement: string): Promise<readonly string[]> {
    const result = this.#work.then(() => this.#run(statement));
    this.#work = result.catch(() => {});
    return result;
  }

  #run(statement: string): Promise<readonly string[]> {
    const end = `end of ${++this.#count}`;
    const lines = this.#lines;
    return new Promise((resolve, reject) => {
      const found: string[] = [];
      const onLine = (line: string): void => {
        if (line !== end) return void found.push(line);
        lines?.off('line', onLine).off('close', onClose);
        resolve(found);
      };
      const onClose = (): void => reject(new Error('The database has ended.'));
      lines?.on('line', onLine).on('close', onClose);
      this.#client?.stdin?.write(`${statement};\n\\echo ${end}\n`);
    });
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Returns a text as an SQL literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
