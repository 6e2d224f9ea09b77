// @ts-check
// JavaScript, because `npm start` checks its options before anything is installed.
import { createServer } from 'node:http';
import { SentenceError } from './sentence-error.mjs';

export const HOST = '127.0.0.1';
const HIGHEST_PORT = 65_535;

/**
 * Starts a server on a port, or on the first of the next `tries` ports that is free.
 *
 * @param {(hostname: string) => import('node:http').Server} make
 * @param {number} port
 * @param {number} tries
 * @returns {Promise<import('node:http').Server>}
 */
export async function listen(make, port, tries) {
  const last = Math.min(HIGHEST_PORT, port + tries);
  for (let at = port; at <= last; at++) {
    const server = make(HOST);
    /** @type {NodeJS.ErrnoException | undefined} */
    const problem = await new Promise((resolve) => {
      server.once('error', resolve);
      server.listen(at, HOST, () => resolve(undefined));
    });
    if (problem === undefined) return server;
    if (problem.code === 'EACCES')
      throw new SentenceError(`Port ${at} needs more rights than this program has. Choose one above 1023 with --port.`);
    if (problem.code !== 'EADDRINUSE') throw problem;
  }
  const which = port === last ? `Port ${port} is` : `The ports ${port} to ${last} are`;
  throw new SentenceError(`${which} taken. Stop what runs there, or choose another with --port.`);
}

/**
 * Throws if neither the port nor one of the next ports is free.
 *
 * @param {{ readonly port?: number, readonly tries?: number }} options
 * @returns {Promise<void>}
 */
export async function demandPort({ port = 0, tries = 0 }) {
  const server = await listen(() => createServer(), port, tries);
  await new Promise((resolve) => server.close(resolve));
}
