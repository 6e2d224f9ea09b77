import { useState } from 'react';
import { useController, useLoading, useSuspense } from 'rejoin/react';
import { download, getFiles } from './model.ts';

export function DownloadPage() {
  const controller = useController();
  const files = useSuspense(getFiles);
  const [saved, setSaved] = useState<string>();
  const [get, isLoading, error] = useLoading(
    async (id: string) => {
      const { blob, filename } = await controller.fetch(download, { id });
      const url = URL.createObjectURL(blob);
      Object.assign(document.createElement('a'), { href: url, download: filename }).click();
      URL.revokeObjectURL(url);
      setSaved(`${filename}, ${blob.size.toLocaleString('en')} bytes`);
    },
    [controller],
  );
  return (
    <div className="stack">
      <ul className="card lines">
        {files.map(({ id, name, type, size }) => (
          <li key={id} className="row apart">
            <span className="stack tight" style={{ gap: 0, overflowWrap: 'anywhere' }}>
              <strong>{name ?? 'without a name'}</strong>{' '}
              <span className="soft small num">
                {type.split(';')[0]}, {size.toLocaleString('en')} bytes
              </span>
            </span>
            <button type="button" className="button" disabled={isLoading} onClick={() => void get(id).catch(() => {})}>
              Download <span className="visually-hidden">{name ?? id}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className="note" role="status">
        {error ? error.message : saved === undefined ? 'Nothing downloaded yet.' : `Saved as ${saved}.`}
      </p>
    </div>
  );
}
