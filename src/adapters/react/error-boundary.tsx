import { Component, type ComponentType, type ReactNode } from 'react';
import { retryFailed } from '../../control/view/demands.ts';

/** The props of the component that `ErrorBoundary` shows for an error. */
export interface ErrorFallbackProps {
  readonly error: Error;
  /** Renders the content again. */
  readonly resetErrorBoundary: () => void;
  readonly className?: string | undefined;
}

/** The props of `ErrorBoundary`. */
export interface ErrorBoundaryProps {
  readonly children?: ReactNode;
  /** Shown in place of the failed content. Default: the message of the error. */
  readonly fallbackComponent?: ComponentType<ErrorFallbackProps> | undefined;
  readonly className?: string | undefined;
  /** Calls its argument when the content should be tried again, such as after a navigation. Returns an unsubscribe function. */
  readonly listen?: ((reset: () => void) => () => void) | undefined;
  /** The content is tried again when one of these values changes, such as the text of a search. */
  readonly resetKeys?: readonly unknown[] | undefined;
}

interface ErrorBoundaryState {
  readonly error?: Error | undefined;
}

/** Shows the error of components below. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = {};
  #stop: (() => void) | undefined;

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    // Code of an application can throw anything.
    return { error: Object(error) === error ? (error as Error) : new Error(String(error), { cause: error }) };
  }

  override componentDidMount(): void {
    this.#stop = this.props.listen?.(this.#reset);
  }

  override componentDidUpdate(before: ErrorBoundaryProps, { error }: ErrorBoundaryState): void {
    const { listen, resetKeys } = this.props;
    if (error !== undefined && areDifferent(before.resetKeys, resetKeys)) this.#reset();
    if (listen === before.listen) return;
    this.#stop?.();
    this.#stop = listen?.(this.#reset);
  }

  override componentWillUnmount(): void {
    this.#stop?.();
  }

  readonly #reset = (): void => {
    if (this.state.error === undefined) return;
    retryFailed();
    this.setState({ error: undefined });
  };

  override render(): ReactNode {
    const { children, fallbackComponent: Fallback = Message, className } = this.props;
    const { error } = this.state;
    if (error === undefined) return children;
    return <Fallback error={error} resetErrorBoundary={this.#reset} className={className} />;
  }
}

function areDifferent(before: readonly unknown[] = [], keys: readonly unknown[] = []): boolean {
  return before.length !== keys.length || keys.some((key, at) => !Object.is(key, before[at]));
}

function Message({ error, className }: ErrorFallbackProps): ReactNode {
  return (
    <pre role="alert" className={className}>
      {error.message}
    </pre>
  );
}
