import { drafts } from '../components.ts';
import { channelStream } from '../event-stream.ts';
import { refTo } from '../json-schema.ts';
import { Problem } from '../problem.ts';
import type { ApiRequest, Route, World } from '../route.ts';
import { CLEAR } from '../simulation.ts';
import type { Simulation } from '../simulation.ts';

function sessionOf({ session }: ApiRequest): string {
  if (session === undefined) throw new Problem(400, 'Which client is meant? Name it in an X-Session header.');
  return session;
}

const tag = 'simulation';
const answers = { 200: { description: 'The simulated network of this session', schema: refTo('Simulation') } };

const simulationRoutes = ({ simulations }: World): readonly Route[] => [
  {
    method: 'get',
    path: '/simulate',
    tag,
    control: true,
    volatile: true,
    summary: 'The network of this session.',
    answers,
    handle: (request) => ({ status: 200, body: simulations.get(sessionOf(request)) }),
  },
  {
    method: 'put',
    path: '/simulate',
    tag,
    control: true,
    summary: 'Set the simulated network of this session. Options that are left out have their defaults.',
    body: drafts.simulation,
    answers,
    handle: (request) => ({
      status: 200,
      body: simulations.set(sessionOf(request), request.body as Partial<Simulation>),
    }),
  },
  {
    method: 'delete',
    path: '/simulate',
    tag,
    control: true,
    summary: 'End the simulation for this session.',
    answers,
    handle: (request) => ({ status: 200, body: simulations.set(sessionOf(request), CLEAR) }),
  },
  {
    method: 'post',
    path: '/simulate/cut',
    tag,
    control: true,
    summary: 'Close all open connections of this session once: requests in flight, event streams, sockets.',
    answers: { 204: { description: 'The connections are closed' } },
    handle(request) {
      simulations.lineOf(sessionOf(request)).cut();
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
    summary: 'The changes of all clients: { entity, id, value }, without a value after a deletion.',
    answers: {
      200: { description: 'changed, deleted; reset: too many events were missed', type: 'text/event-stream' },
    },
    handle: (request) => channelStream(request, world.clock, world.changes),
  },
  {
    method: 'get',
    path: '/health',
    tag: 'server',
    control: true,
    volatile: true,
    summary: 'Whether the server and its database work.',
    answers: { 200: { description: 'Both work', schema: refTo('Health') } },
    async handle() {
      await world.database.query('select 1');
      return { status: 200, body: { status: 'ok', database: world.database.name, rows } };
    },
  },
];
