import * as React from 'react';
import { Component, type Context, createContext, type ReactNode } from 'react';
import type { Screen } from '../../control/screen/screen.ts';

interface SuspenseRetryProps {
  readonly screen: Screen;
  readonly children?: ReactNode;
}

interface SuspenseRetryState {
  readonly attempt: number;
}

/** A change of its value makes React try suspended components below again. The value has no other meaning. */
const AttemptContext: Context<number> = /* #__PURE__ */ createContext(0);

/** React 18 needs no retry: it shows awaited content at once, and for a changed context it would search the whole page. */
const IS_HELD_BACK: boolean = 'use' in React;

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
    if (IS_HELD_BACK) this.props.screen.onRetry = () => this.setState(({ attempt }) => ({ attempt: attempt + 1 }));
  }

  override componentWillUnmount(): void {
    this.props.screen.onRetry = undefined;
  }

  override render(): ReactNode {
    return <AttemptContext.Provider value={this.state.attempt}>{this.props.children}</AttemptContext.Provider>;
  }
}
