import type { Random } from '../oracle/random.ts';
import type { World } from './world.ts';

/** A kind of step. Everything that a step needs to decide, it draws. */
export interface Kind {
  readonly weight: number;
  readonly act: (world: World, random: Random) => void;
}
