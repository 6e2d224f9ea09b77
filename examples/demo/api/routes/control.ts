import { drafts } from '../components.ts';
import { channelStream } from '../event-stream.ts';
import { refTo } from '../json-schema.ts';
import { Problem } from '../problem.ts';
import type { Ask, Route, World } from '../route.ts';
import { CLEAR } from '../simulation.ts';
import type { Simulation } from '../simulation.ts';

function sessionOf({ session }: Ask): string {
  if (session === undefined) throw new Problem(400, 'Which client is meant? Name it in an X-Session header.');
  return session;
}

const tag = 'simulation';
const answers = { 200: { description: 'What this session has now', schema: refTo('Simulation') } };

const simulationRoutes = ({ simulations }: World): readonly Route[] => [
  {
    method: 'get',
    path: '/simulate',
    tag,
    control: true,
    volatile: true,
    summary: 'The network of this session.',
    answers,
    handle: (ask) => ({ status: 200, body: simulations.get(sessionOf(ask)) }),
  },
  {
    method: 'put',
    path: '/simulate',
    tag,
    control: true,
    summary: 'Give this session another network. What is left out is as usual.',
    body: drafts.simulation,
    answers,
    handle: (ask) => ({ status: 200, body: simulations.set(sessionOf(ask), ask.body as Partial<Simulation>) }),
  },
  {
    method: 'delete',
    path: '/simulate',
    tag,
    control: true,
    summary: 'Give this session its network back.',
    answers,
    handle: (ask) => ({ status: 200, body: simulations.set(sessionOf(ask), CLEAR) }),
  },
  {
    method: 'post',
    path: '/simulate/cut',
    tag,
    control: true,
    summary: 'Cut what this session has open, once: requests under way, event streams, sockets.',
    answers: { 204: { description: 'It is cut' } },
    handle(ask) {
      simulations.lineOf(sessionOf(ask)).cut();
      return { status: 204 };
    },
  },
];

/** Routes for the simulated network of a session, for events, and for the health of the server. */
export const controlRoutes = (world: World, rows: number): readonly Route[] => [
  ...simulationRoutes(world),
  {
    method: 'get',
    path: '/events',
    tag: 'events',
    query: { lastEventId: { type: 'string' } },
    summary: 'What anyone changes: { entity, id, value }, without a value when it was deleted.',
    answers: { 200: { description: 'changed, deleted; reset: too much was missed', type: 'text/event-stream' } },
    handle: (ask) => channelStream(ask, world.clock, world.changes),
  },
  {
    method: 'get',
    path: '/health',
    tag: 'server',
    control: true,
    volatile: true,
    summary: 'Whether the server and its database are well.',
    answers: { 200: { description: 'They are', schema: refTo('Health') } },
    async handle() {
      await world.database.query('select 1');
      return { status: 200, body: { status: 'ok', database: world.database.name, rows } };
    },
  },
];
