/** What went wrong with a change, in a line. */
export function NotSaved({
  error,
  onClose,
}: {
  readonly error: Error | null | undefined;
  readonly onClose?: () => void;
}) {
  if (!error) return null;
  return (
    <p className="note bad row apart one-line" role="alert">
      <span>Not saved, and shown as before: {reasonOf(error)}</span>
      {onClose && (
        <button type="button" className="button tiny" onClick={onClose}>
          Close
        </button>
      )}
    </p>
  );
}

/** What a browser says where there was no answer at all helps no reader. */
function reasonOf(error: Error): string {
  if (error instanceof TypeError) return 'the server cannot be reached.';
  return 'status' in error && typeof error.status === 'number' ? `the server answered ${error.status}.` : error.message;
}
