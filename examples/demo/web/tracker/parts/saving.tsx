/** Shown beside data that is not saved yet. It always takes its space, so that nothing moves. */
export function Saving({ isPending }: { readonly isPending: boolean }) {
  return (
    <span className="saving" role="status">
      {isPending && <span title="Not saved yet">saving</span>}
    </span>
  );
}
