import { type CSSProperties, useMemo } from 'react';
import { highlight, linesOf } from './highlight.ts';

export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

/** The source files of the page. */
export function CodePanel({ files }: { readonly files: readonly SourceFile[] }) {
  return files.map((file) => <Code key={file.name} {...file} />);
}

function Code({ name, text }: SourceFile) {
  const lines = useMemo(() => linesOf(highlight(text.trimEnd())), [text]);
  return (
    <figure className="code">
      <figcaption>{name}</figcaption>
      <pre>
        <code>
          {lines.map(({ indent, tokens }, at) => (
            <span key={at} className="line" style={{ '--indent': indent } as CSSProperties}>
              {tokens.map(({ kind, text: piece }, index) => (
                <span key={index} className={kind === '' ? undefined : kind}>
                  {piece}
                </span>
              ))}
            </span>
          ))}
        </code>
      </pre>
    </figure>
  );
}
