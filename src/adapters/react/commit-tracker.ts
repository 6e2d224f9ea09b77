import { Component } from 'react';
import type { Entry } from '../../control/screen/moment.ts';
import { following, type Screen } from '../../control/screen/screen.ts';
import { retire } from './controller-context.ts';

interface CommitTrackerProps {
  readonly screen: Screen;
}

interface CommitTrackerState {
  readonly followed: readonly Entry[];
}

/** As a part of the screen, learns which commits are on it. Of each commit, a class costs half of what hooks do. */
export class CommitTracker extends Component<CommitTrackerProps, CommitTrackerState> {
  override state: CommitTrackerState = { followed: [] };
  #stop: (() => void) | undefined;

  override componentDidMount(): void {
    this.#start();
  }

  #start(): void {
    const { screen } = this.props;
    this.#stop = screen.start((entry) => this.setState(({ followed }) => ({ followed: following(followed, entry) })));
    // What it has followed while it was hidden is on the screen with it.
    screen.show(this.state.followed);
  }

  override componentDidUpdate({ screen: last }: CommitTrackerProps, { followed: before }: CommitTrackerState): void {
    const { screen } = this.props;
    const { followed } = this.state;
    if (followed !== before) screen.show(followed);
    if (screen === last) return;
    this.#end(last);
    // Components that found the last screen without the context do not know of this one.
    last.end();
    this.#start();
  }

  override componentWillUnmount(): void {
    this.#end(this.props.screen);
  }

  #end(screen: Screen): void {
    this.#stop?.();
    retire(screen);
  }

  /** Rendered before the readers, whenever they are rendered with a commit that is not on the screen. */
  override render(): null {
    this.props.screen.rendered = this.state.followed;
    return null;
  }
}
