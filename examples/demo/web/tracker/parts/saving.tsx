/** Beside what is shown and not saved yet. It always has its place, so that nothing moves. */
export function Saving({ isPending }: { readonly isPending: boolean }) {
  return (
    <span className="saving" role="status">
      {isPending && <span title="Not saved yet">saving</span>}
    </span>
  );
}
