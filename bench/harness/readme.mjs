/** Returns the text of `bench/README.md` with the tables of one run. */
export function readme({ date, machine, node, versions, command }, rounds, sections) {
  return `# Benchmark

Measured on ${date} with \`${command}\` on ${machine}, Node ${node.slice(1)}. Each figure is the median of ${rounds}
alternated rounds, each cell (library, row, size) in a process of its own. Compare the
ratios within a table, because absolute times depend on the machine. Every cell checks the data that it has read; a cell with wrong data has failed, and has no figure.

${versions.map((version) => `- ${version}`).join('\n')}

[react/README.md](react/README.md) has the cost of the React binding in a browser, and an application of 5,000 live tickers with each of the libraries.

The next picture shows how the cost of a change grows with the number of lists, mutations, collections and queries (S15), and with the rows of a live query (S7). The dashed
line is the limit:

![Growth](../bench/growth.svg)

Rejoin is bundled from \`src/\`; all libraries are bundled for production. Notes:

- The data consists of posts with an author and five comments each. A tenth of all entities are users, which posts and comments
  share. Ids are strings. Responses are parsed from text for each use.
- cold: one write and one read in a new process; each figure is the median of 9 processes in each round. coldc: the
  same through a controller with its default managers. Its request is answered after 30 ms, as on a page, and the measured time begins with the answer.
  Meanwhile Rejoin compiles its engine in an idle callback (decision 23). Node has no idle callback, so the row uses a timer. data-client
  sends in an idle callback, for which the row uses a microtask, so that its request is in flight for the same time.
- S7: Rejoin's column is a live query. Versions without live queries were measured with a \`Query\` that sorts the whole list, on the first stream.
- The column data-client measures only its engine: \`normalize\`, the state and the memo of its reducer and hooks, without React. In S6
  every reader reads again after each write, because each hook of that library reads again with every new state. The newest
  \`@data-client/endpoint\` that can be installed is older than its engine, so \`peers/data-client-schema.mjs\` adds the newer
  protocol to its \`Entity\`, and replaces Collection, Query and Invalidate by small versions.
- normalizr has no store, so its tables are merged as its documentation shows for a reducer. normalizr and Relay return
  plain objects and have no memo.
- Relay's queries have the form of the output of its compiler. Apollo and Relay read GraphQL responses.
- TanStack DB is measured with a synced collection, and with both ways to write the join. In the faster one, an index provides the window.
- TanStack Query has one key and one observer for each row, and notifies at once instead of with a timer.
- *hand* is code that is written for this data, without identity, memo or staleness. It is a lower limit, and not a library.

${sections.join('\n\n')}
`;
}
