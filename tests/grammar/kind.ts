import type { Random } from '../oracle/random.ts';
import type { World } from './world.ts';

/** A kind of step. A step draws all its choices from the random numbers. */
export interface Kind {
  readonly weight: number;
  readonly act: (world: World, random: Random) => void;
}
