interface Props {
  readonly error: Error;
  readonly resetErrorBoundary: () => void;
}

/** Shown instead of data that could not be fetched. */
export function Failure({ error, resetErrorBoundary }: Props) {
  return (
    <div className="note bad stack" role="alert">
      <p>
        <strong>The request failed.</strong> {error.message}
      </p>
      <div>
        <button type="button" className="button" onClick={resetErrorBoundary}>
          Try again
        </button>
      </div>
    </div>
  );
}
