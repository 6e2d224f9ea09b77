/** Where a temporary pk begins and ends in a text. */
interface FoundPk {
  readonly from: number;
  readonly to: number;
}

const START = 'temp';
/** A temporary pk has two colons. In a URL they are escaped. */
const COLONS = [':', '%3A'];
/** The number of the store between the colons. */
const STORE = /^\w{21}$/;
const STORE_LENGTH = 21;

/** Finds the temporary pks of any store, as they are and as they are in a URL. The time is proportional to the length of the text. */
function* findPks(text: string): Generator<FoundPk> {
  for (let from = text.indexOf(START); from >= 0;) {
    const to = endOf(text, from + START.length);
    if (to !== undefined) yield { from, to };
    from = text.indexOf(START, to ?? from + 1);
  }
}

/** Returns where a temporary pk ends. `at`: the index after its start. `undefined` if the text has something else there. */
function endOf(text: string, at: number): number | undefined {
  const colon = COLONS.find((one) => text.startsWith(one, at));
  if (colon === undefined) return undefined;
  const store = at + colon.length;
  const second = store + STORE_LENGTH;
  if (!STORE.test(text.slice(store, second)) || !text.startsWith(colon, second)) return undefined;
  const digits = second + colon.length;
  let to = digits;
  while (isDigit(text.charAt(to))) to++;
  return to > digits ? to : undefined;
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9';
}

/** Returns the temporary pks in a text, such as a path. */
export function pksIn(text: string): readonly string[] {
  return Array.from(findPks(text), ({ from, to }) => decodeURIComponent(text.slice(from, to)));
}

/** Returns what `pkOf` returns for a text that is a pk. In a longer text, replaces each temporary pk. */
export function withPks(text: string, pkOf: (pk: string) => unknown): unknown {
  const pk = pkOf(text);
  if (pk !== text || !text.includes(START)) return pk;
  let made = '';
  let end = 0;
  for (const { from, to } of findPks(text)) {
    const found = text.slice(from, to);
    const temporary = decodeURIComponent(found);
    const known = String(pkOf(temporary));
    made += text.slice(end, from) + (temporary === found ? known : encodeURIComponent(known));
    end = to;
  }
  return made + text.slice(end);
}
