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

/** Its value means nothing. A change of it has React try what is suspended below again. */
const AttemptContext: Context<number> = /* #__PURE__ */ createContext(0);

/** React 18 shows what it waited for at once, and looks through the whole page for readers of a context. */
const IS_HELD_BACK: boolean = 'use' in React;

/**
 * Has React try again what is suspended below, whenever something is there that readers wait for. React does so by itself as
 * well, and then holds what comes of it back until 300 ms after the last fallback. A change of state it shows at once; and
 * with a context that changes, it tries every suspended boundary below again and renders nothing else.
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
