import { readFileSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { columns } from '../columns.mjs';

const packageOf = (path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));

/** What a reader needs to judge the figures by: when, on what, with which versions, by which command. */
export function circumstances(options, chromium, command) {
  // The versions are exact in our own package.json, so that is what is installed.
  const { devDependencies } = packageOf(join(import.meta.dirname, '..'));
  const packages = options.names.flatMap((name) =>
    columns[name].packages.map((each) => `${each} ${devDependencies[each]}`),
  );
  const reacts = new Set(options.names.map((name) => `react ${packageOf(columns[name].react.react).version}`));
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus()[0].model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${platform()} ${arch()}`,
    chromium,
    versions: [...reacts, ...packages],
    command,
  };
}

/** The text of `bench/react/README.md` around the tables of one run. */
export function readme({ date, machine, chromium, versions, command }, rounds, sections) {
  return `# React benchmark

Measured on ${date} with \`${command}\` on ${machine}, headless Chromium ${chromium}. Each figure is the median of ${rounds}
alternated rounds, each cell (library, scenario, size) in a fresh page, and within it the median of 5 to 100 steps after a warm-up of up to 50.
Absolute times are for orientation; the ratios within a line are what counts.

${versions.map((version) => `- ${version}`).join('\n')}

How it is measured, the same for all:

- Pages are bundled by esbuild for production, Rejoin from \`src/\`. All libraries run on React 18.3, the newest that data-client's
  newest set of packages runs on; Rejoin and the floor also on 19.
- An action runs in a real click event. The clock runs from the click until a \`MutationObserver\` sees the page show what it has to: the
  library, React's render and the change of the document, without layout and paint. The page is cross-origin isolated, so its
  clock counts in 5 µs.
- *Rendered* are the components whose function ran for one step, until everything has settled, the list's own included.
- Every step waits for the right text, and every cell compares the whole list with what it must say at the end. A cell that
  shows something else has failed, and has no figure.
- *React* is the floor: \`useState\` where it is shown, and a setter. It has no cache, no identity, no rollback.

How each library is used:

- The scenarios called \`getlist\`, \`update-entity\`, \`update-user\`, \`list-detail-switch-10\`, \`unshift-item\`, \`delete-item\` and \`move-item\` are
  those that data-client publishes, rebuilt from their description: 1,000 issues by 20 users in the store, 100 of them on the
  screen. (\`move-item\`: 900 open and 100 closed, all closed ones on the screen.)
- There, most of a peer's time is the simulated network, and only data-client guesses. Here, the server answers at once, and
  either every library guesses (*with a guess*: until the guess is on the screen) or none does (*with the answer*: until the answer is).
- TanStack Query and SWR know of no records, so their changes are written by hand, list by list, as an application would
  write them to be fast: no comparison, unchanged rows keep their identity, details are seeded from the list. Rejoin and data-client
  get the schema. *With a refetch*, these two do instead what their documents teach and what data-client publishes of them: after the
  answer, the lists are asked for again; the other columns are those *with the answer*.
- TanStack Query notifies in a microtask instead of on its default timer, which would cost it more.
- data-client 0.10 has no \`move\`: there it moves by an \`update\` written by hand. Its tickers come as one response per message, not many.
- A circle of records is nothing that TanStack Query or SWR could keep; they have no figure there.
- Mounting and fetching a list have no target beside the floor: the floor stores nothing there.
- Rows of the floor know by name where their state is. Hooks find their store by a context, and React pays for a context in each
  row when one of its neighbours changes: a floor whose rows call \`useContext\` once, and nothing else, was at 1.2 times this floor on React 18
  and at 1.3 times on React 19 with 1,000 rows, and at 1.2 to 2.2 times with 10,000. \`useQuery\` reads no context on a page
  that has had one provider, as that of these rows; where a page mounts them again and again, each time with another provider, it does.

${sections.join('\n\n')}
`;
}
