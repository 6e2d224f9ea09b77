/** Shown while the data of a page is loading. */
export function Loading() {
  return (
    <div className="stack" role="status" aria-label="Loading">
      <div className="skeleton" style={{ height: 36, width: '60%' }} />
      <div className="skeleton" style={{ height: 132 }} />
      <div className="skeleton" style={{ height: 132 }} />
    </div>
  );
}
