import { idIn } from '../../define/schema/own-pk.ts';
import { pksIn, withPks } from '../../control/controller/pks-in-text.ts';
import { partsOfData, replaceTexts } from '../../define/schema/texts-in-data.ts';

/** Returns a copy of arguments in which some pks are replaced. The same arguments if none is in them. */
export function withReplaced(args: readonly unknown[], replaced: ReadonlyMap<string, unknown>): readonly unknown[] {
  if (replaced.size === 0) return args;
  return replaceTexts(args, (text, field) =>
    withPks(text, (pk) => (replaced.has(pk) ? idIn(replaced.get(pk), field) : pk)),
  ) as readonly unknown[];
}

/** All texts in arguments, and the temporary pks inside longer texts. */
export function namesInArgs(args: readonly unknown[]): ReadonlySet<string> {
  return new Set(Array.from(textsIn(args), (text) => [text, ...pksIn(text)]).flat());
}

/** All texts in arguments. */
export function textsIn(value: unknown, found: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof value === 'string') found.add(value);
  else for (const member of partsOfData(value) ?? []) textsIn(member, found);
  return found;
}
