import { readFileSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { columns } from '../columns.mjs';

const packageOf = (path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));

/** Returns the conditions of the run: the date, the machine, the versions and the command. */
export function circumstances(options, chromium, command) {
  // package.json has exact versions, so these versions are installed.
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

/** Returns the text of `bench/react/README.md` with the tables of one run. */
export function readme({ date, machine, chromium, versions, command }, rounds, sections) {
  return `# React benchmark

Measured on ${date} with \`${command}\` on ${machine}, headless Chromium ${chromium}. Each figure is the median of ${rounds}
alternated rounds, each cell (library, scenario, size) in a fresh page, and within it the median of 5 to 100 steps after a warm-up of up to 50.
Compare the ratios within a line, because absolute times depend on the machine.

${versions.map((version) => `- ${version}`).join('\n')}

All libraries are measured in the same way:

- Pages are bundled by esbuild for production, Rejoin from \`src/\`. All libraries run on React 18.3, the newest version that the
  newest packages of data-client support. Rejoin and the floor run on 19 too.
- An action runs in a real click event. The measured time ends when a \`MutationObserver\` sees the expected content of the page. It contains the work of the
  library, React's render and the change of the document, without layout and paint. The page is cross-origin isolated, so its
  clock has a resolution of 5 µs.
- *Rendered* is the number of components that rendered in one step, until everything has settled, including the list itself.
- Every step waits for the expected text, and every cell compares the whole list with the expected list at the end. A cell that
  shows another content has failed, and has no figure.
- *React* is the floor: \`useState\` in the component that shows the data, and a setter. It has no cache, no identity, no rollback.

How each library is used:

- The scenarios called \`getlist\`, \`update-entity\`, \`update-user\`, \`list-detail-switch-10\`, \`unshift-item\`, \`delete-item\` and \`move-item\` are
  those that data-client publishes, rebuilt from their description: 1,000 issues by 20 users in the store, 100 of them on the
  screen. (\`move-item\`: 900 open and 100 closed, all closed ones on the screen.)
- In the published scenarios, most of the time of a peer is the simulated network, and only data-client has optimistic updates. Here, the server answers at once, and
  either all libraries make optimistic updates (*with a guess*: until the guess is on the screen) or none does (*with the answer*: until the answer is).
- TanStack Query and SWR store no records, so their changes are written by hand, list by list, as an application would
  write them to be fast: without comparisons, unchanged rows keep their identity, and details begin with the data of the list. Rejoin and data-client
  get the schema. *With a refetch*, these two libraries do what their documents recommend and what data-client publishes of them: after the
  answer, the lists are fetched again. The other columns are those *with the answer*.
- TanStack Query notifies in a microtask, because its default timer would add time.
- data-client 0.10 has no \`move\`, so its moves are an \`update\` that is written by hand. It stores each message of the tickers as a response of its own, and not many messages at once.
- TanStack Query and SWR cannot keep a circle of records, so they have no figure for it.
- Mounting and fetching a list have no target compared with the floor, because the floor stores no data.
- Rows of the floor find their state by a variable. Hooks find their store by a context, and React pays for a context in each
  row when one of its neighbours changes: a floor whose rows call \`useContext\` once, and nothing else, was at 1.2 times this floor on React 18
  and at 1.3 times on React 19 with 1,000 rows, and at 1.2 to 2.2 times with 10,000. \`useQuery\` reads no context on a page
  that has had only one provider, such as the page of these rows. On a page that mounts the rows again, each time with another provider, it reads the context.

${sections.join('\n\n')}
`;
}
