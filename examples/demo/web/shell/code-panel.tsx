import { useMemo } from 'react';
import { highlight } from './highlight.ts';

export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

/** The very source of the page beside it. */
export function CodePanel({ files }: { readonly files: readonly SourceFile[] }) {
  return files.map((file) => <Code key={file.name} {...file} />);
}

function Code({ name, text }: SourceFile) {
  const tokens = useMemo(() => highlight(text.trimEnd()), [text]);
  return (
    <figure className="code">
      <figcaption>{name}</figcaption>
      <pre tabIndex={0} aria-label={`Source of ${name}`}>
        <code>
          {tokens.map(({ kind, text: piece }, index) =>
            kind === '' ? (
              piece
            ) : (
              <span key={index} className={kind}>
                {piece}
              </span>
            ),
          )}
        </code>
      </pre>
    </figure>
  );
}
