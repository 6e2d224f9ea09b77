/** The styles of the panel. */
export const STYLE = `
:host { all: initial; --text: #1d2327; --dim: #5b666d; --back: #fff; --line: #dfe4e6; --mark: #0b6b66; --soft: #eef6f5; --bad: #b3261e;
  color-scheme: light dark; font: 12px/24px ui-monospace, SFMono-Regular, Menlo, monospace; color: var(--text); }
@media (prefers-color-scheme: dark) {
  :host { --text: #e6eaec; --dim: #9aa6ad; --back: #171b1e; --line: #30383d; --mark: #4fc3bb; --soft: #1f2b2b; --bad: #ff8a80; } }
* { box-sizing: border-box; }
button, input { font: inherit; color: inherit; background: none; border: 0; padding: 0 8px; cursor: pointer; }
button:focus-visible, input:focus-visible, .list:focus-visible { outline: 2px solid var(--mark); outline-offset: -2px; }
.open { position: fixed; right: 12px; bottom: var(--rejoin-devtools-bottom, 12px); z-index: 2147483646; background: var(--mark); color: var(--back); border-radius: 12px; }
.panel { position: fixed; inset: auto 0 0 0; height: 45vh; min-height: 220px; z-index: 2147483647; background: var(--back);
  border-top: 2px solid var(--mark); display: grid; grid-template-rows: auto auto minmax(0, 1fr); }
.bar { display: flex; flex-wrap: wrap; border-bottom: 1px solid var(--line); align-items: center; }
.bar [aria-selected='true'] { color: var(--mark); box-shadow: inset 0 -2px var(--mark); }
.bar input { flex: 1; min-width: 80px; cursor: text; }
.body { display: grid; grid-template-columns: minmax(160px, 1fr) 1fr; min-height: 0; }
.body.tables { grid-template-columns: 160px minmax(160px, 1fr) 1fr; }
.body > * { overflow: auto; min-height: 0; border-right: 1px solid var(--line); }
.list { position: relative; }
.lines { position: relative; }
.line { position: absolute; left: 0; right: 0; height: 24px; display: block; text-align: left; overflow: hidden; white-space: nowrap;
  text-overflow: ellipsis; width: 100%; }
.line:hover, .line[aria-current='true'] { background: var(--soft); }
.detail { padding: 4px 12px; }
.notice { padding: 0 12px; background: var(--soft); }
.diagram { position: relative; }
.diagram svg { position: absolute; top: 0; left: 0; }
.diagram line { stroke: var(--dim); }
.diagram text { fill: var(--dim); font-size: 11px; paint-order: stroke; stroke: var(--back); stroke-width: 4px; }
.box { position: absolute; background: var(--soft); border: 1px solid var(--mark); border-radius: 6px; overflow: hidden; text-overflow: ellipsis; }
.body.model { grid-template-columns: 3fr 1fr; }
.dim { color: var(--dim); }
.bad { color: var(--bad); }
.old { color: var(--dim); text-decoration: line-through; }
h2 { font-size: inherit; margin: 8px 0 0; }
.link { color: var(--mark); padding: 0; text-decoration: underline; }
p { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 700px) { .body, .body.tables, .body.model { grid-template-columns: 1fr; grid-auto-rows: minmax(60px, 1fr); } }
`;
