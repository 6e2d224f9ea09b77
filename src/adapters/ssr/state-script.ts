/** The props of a script element that browsers do not run and that contains the state of a store. */
export interface StateScript {
  readonly type: 'application/json';
  readonly 'data-rejoin': string;
  /** The length of the text, so that the reader knows whether all of it has arrived: a parser adds an element before its text. */
  readonly 'data-length': number;
  readonly nonce?: string;
  readonly dangerouslySetInnerHTML: { readonly __html: string };
}

export function stateScript(json: string, id: string, nonce?: string): StateScript {
  return {
    type: 'application/json',
    'data-rejoin': id,
    'data-length': json.length,
    ...(nonce !== undefined && { nonce }),
    dangerouslySetInnerHTML: { __html: json },
  };
}

/** Returns the element, as HTML. */
export function asHtml({ dangerouslySetInnerHTML: { __html: json }, ...attributes }: StateScript): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${attribute(String(value))}"`);
  return `<script${written.join('')}>${json}</script>`;
}

function attribute(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
