/**
 * JSON as an element that browsers do not run. Its length tells the reader whether all of it has come: a parser shows an
 * element before it has its text.
 */
export function stateScript(json: string, id: string, nonce?: string): string {
  const more = nonce === undefined ? '' : ` nonce="${attribute(nonce)}"`;
  return `<script type="application/json" data-rejoin="${attribute(id)}" data-length="${json.length}"${more}>${json}</script>`;
}

function attribute(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
