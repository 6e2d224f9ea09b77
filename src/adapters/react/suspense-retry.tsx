import { Component, type Context, createContext, type ReactNode, useContext, useEffect } from 'react';
import type { Screen } from '../../control/screen/screen.ts';
import { ScreenContext } from './controller-context.ts';
import { IS_REACT_18 } from './environment.ts';

interface SuspenseRetryProps {
  readonly screen: Screen;
  readonly children?: ReactNode;
}

interface SuspenseRetryState {
  readonly attempt: number;
}

/** A change of its value makes React try suspended components below again. The value has no other meaning. */
const AttemptContext: Context<number> = /* #__PURE__ */ createContext(0);

/**
 * Makes React try suspended components below again when awaited data is there. React also does so without this component,
 * but then it shows the content no sooner than 300 ms after the last fallback appeared. It shows a change of state at once. With
 * a changed context, it tries every suspended boundary below again and renders nothing else.
 */
export class SuspenseRetry extends Component<SuspenseRetryProps, SuspenseRetryState> {
  override state: SuspenseRetryState = { attempt: 0 };

  override componentDidMount(): void {
    this.#listen();
  }

  override componentDidUpdate({ screen }: SuspenseRetryProps): void {
    if (screen !== this.props.screen) this.#listen();
  }

  #listen(): void {
    const { screen } = this.props;
    screen.onRetry = () => {
      // For a changed context, React 18 would search the whole page, and try nothing again.
      if (!IS_REACT_18) this.setState(({ attempt }) => ({ attempt: attempt + 1 }));
      for (const tryAgain of screen.fallbacks) tryAgain();
      return !IS_REACT_18 || screen.fallbacks.size > 0;
    };
  }

  override componentWillUnmount(): void {
    this.props.screen.onRetry = undefined;
  }

  override render(): ReactNode {
    return <AttemptContext.Provider value={this.state.attempt}>{this.props.children}</AttemptContext.Provider>;
  }
}

interface RetriedFallbackProps {
  /** Renders the boundary again. */
  readonly tryAgain: () => void;
  readonly children?: ReactNode;
}

/**
 * The fallback of a boundary in React 18. By itself, React 18 shows awaited content with another fallback in it no sooner than 500 ms after the last
 * fallback appeared. When awaited data is there, `SuspenseRetry` changes the state of each boundary that shows its fallback.
 */
export function RetriedFallback({ tryAgain, children }: RetriedFallbackProps): ReactNode {
  const fallbacks = useContext(ScreenContext)?.fallbacks;
  useEffect(() => {
    fallbacks?.add(tryAgain);
    return () => void fallbacks?.delete(tryAgain);
  }, [fallbacks, tryAgain]);
  return children;
}
