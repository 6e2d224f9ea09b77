/** Shows the error of a change in one line. */
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

/** The message of a browser for a request without an answer does not help the user, so it is replaced. */
function reasonOf(error: Error): string {
  if (error instanceof TypeError) return 'the server cannot be reached.';
  return 'status' in error && typeof error.status === 'number' ? `the server answered ${error.status}.` : error.message;
}
