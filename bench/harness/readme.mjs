/** The text of `bench/README.md` around the tables of one run. */
export function readme({ date, machine, node, versions, command }, rounds, sections) {
  return `# Benchmark

Measured on ${date} with \`${command}\` on ${machine}, Node ${node.slice(1)}. Each figure is the median of ${rounds}
alternated rounds, each cell (library, row, size) in a process of its own. Absolute times are for orientation; the
ratios within a table are what counts. Every cell checks what it read; a wrong answer is a failed cell, without a figure.

${versions.map((version) => `- ${version}`).join('\n')}

What the React binding costs in a browser is measured by itself, and an application of 5,000 live tickers beside the same one on the
peers, with the figures of its trace and a picture: [react/README.md](react/README.md).

How the cost of a change grows with lists, mutations, collections and queries (S15), and with the rows of a live query (S7). The dashed line
is the limit:

![Growth](../bench/growth.svg)

Rejoin is bundled from \`src/\`; all libraries are bundled for production. Notes:

- The data are posts with an author and five comments each; a tenth of all entities are users, which posts and comments
  share. Ids are strings, responses are parsed from text for each use.
- cold: one write and one read in a process that has done nothing before; each figure is the median of 9 processes in each round. coldc: the
  same through a controller with its default managers. Its request is answered after 30 ms, as on a page; the clock runs from the answer.
  Rejoin compiles its engine meanwhile, in an idle callback (decision 23), which the row makes of a timer, because Node has none. data-client
  sends in an idle callback, which is made a microtask, so that the request is in flight for as long.
- S7: Rejoin's column is a live query; what was measured before it had them is a \`Query\` that sorts the whole list, on the first stream.
- data-client is its engine alone: \`normalize\`, the state and the memo of its reducer and hooks, without React. In S6
  every reader reads again after each write, as each hook does there with every new state. The newest
  \`@data-client/endpoint\` that can be had is older than its engine, so \`peers/data-client-schema.mjs\` puts the newer
  protocol on its \`Entity\`; Collection, Query and Invalidate are small stand-ins.
- normalizr has no store: its tables are merged as its documentation shows for a reducer. normalizr and Relay give
  plain objects and have no memo.
- Relay's queries are written as its compiler would emit them. Apollo and Relay read GraphQL responses.
- TanStack DB: a synced collection, both ways to write the join; in the better one, the window is fed by an index.
- TanStack Query: one key and one observer per row, notifications at once rather than on a timer.
- *hand* is code for exactly this data, without identity, memo or staleness: a floor, not a rival.

${sections.join('\n\n')}
`;
}
