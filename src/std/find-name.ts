import { inDevelopment } from './development.ts';

/** Returns the first of `names` of which `name` may be a misspelling: they differ in at most two letters. In development only. */
export function findName(name: string, names: readonly string[]): string | undefined {
  return inDevelopment(() =>
    names.find((other) => {
      const [one, two] = [name.toLowerCase(), other.toLowerCase()];
      const most = Math.min(one.length, two.length);
      let start = 0;
      while (start < most && one[start] === two[start]) start++;
      let end = 0;
      while (end < most - start && one.at(-1 - end) === two.at(-1 - end)) end++;
      const others = Math.max(one.length, two.length) - start - end;
      return others <= (one.length > 4 ? 2 : 1);
    }),
  );
}
