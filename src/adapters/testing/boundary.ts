import { Component, type ReactNode } from 'react';

interface BoundaryProps {
  /** Changing the number renders the content again. */
  readonly attempt: number;
  readonly onError: (error: unknown) => void;
  readonly children?: ReactNode;
}

interface BoundaryState {
  readonly attempt: number;
  readonly hasFailed: boolean;
}

/** Shows nothing after an error below, until `attempt` changes. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override readonly state: BoundaryState = { attempt: this.props.attempt, hasFailed: false };

  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ attempt }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return attempt === state.attempt ? null : { attempt, hasFailed: false };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children;
  }
}
