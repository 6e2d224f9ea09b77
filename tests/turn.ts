const { TURN, SEED, RUNS } = process.env;
/** A number that depends on the commit. Without it, as in `npm run test:matrix`, everything runs. */
const turn = TURN === undefined ? undefined : Number(TURN);

/** Returns all items. In `npm test`, returns one of `parts` equal parts of them, which depends on the commit. By default a part is one item. */
export function inTurn<Item>(items: readonly Item[], parts = items.length): readonly Item[] {
  return turn === undefined ? items : items.filter((_, at) => at % parts === turn % parts);
}

/** Returns the seeds from 1 to `all`, or those of `SEED` and `RUNS`. In `npm test`, returns one of the parts, which depends on the commit. */
export function seedsInTurn(all: number, parts: number): { readonly seed: number; readonly runs: number } {
  if (turn === undefined || SEED !== undefined || RUNS !== undefined)
    return { seed: Number(SEED ?? 1), runs: Number(RUNS ?? all) };
  const runs = Math.ceil(all / parts);
  return { seed: 1 + (turn % parts) * runs, runs };
}
