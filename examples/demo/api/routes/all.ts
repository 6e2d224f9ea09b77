import type { LiveItems } from '../live-items.ts';
import type { Route, World } from '../route.ts';
import { commentRoutes } from './comments.ts';
import { controlRoutes } from './control.ts';
import { fileRoutes } from './files.ts';
import { activityRoutes } from './activity.ts';
import { issueRoutes } from './issues.ts';
import { itemRoutes } from './items.ts';
import { marketRoutes } from './markets.ts';
import { postRoutes } from './posts.ts';
import { profileRoutes } from './profiles.ts';
import { streamRoutes } from './streams.ts';
import { teamRoutes } from './teams.ts';
import { todoRoutes } from './todos.ts';
import { userRoutes } from './users.ts';

/** Every route of the API, in the order of its document. */
export const allRoutes = (world: World, live: LiveItems, rows: number): readonly Route[] => [
  ...postRoutes,
  ...commentRoutes,
  ...userRoutes,
  ...todoRoutes,
  ...teamRoutes,
  ...issueRoutes,
  ...activityRoutes,
  ...marketRoutes(world),
  ...streamRoutes(world),
  ...profileRoutes,
  ...fileRoutes,
  ...itemRoutes(world, live),
  ...controlRoutes(world, rows),
];
