import { Component } from 'react';
import type { Entry } from '../../control/screen/moment.ts';
import { following, type Screen } from '../../control/screen/screen.ts';
import { removeScreen } from './controller-context.ts';

interface CommitTrackerProps {
  readonly screen: Screen;
}

interface CommitTrackerState {
  readonly followed: readonly Entry[];
}

/**
 * The first child of a provider, without output. Tells the screen which commits React is rendering, and which are on the screen. A class
 * component, because for each commit it costs half as much as hooks.
 */
export class CommitTracker extends Component<CommitTrackerProps, CommitTrackerState> {
  override state: CommitTrackerState = { followed: [] };
  #stop: (() => void) | undefined;

  override componentDidMount(): void {
    this.#start();
  }

  #start(): void {
    const { screen } = this.props;
    this.#stop = screen.start((entry) =>
      this.setState(({ followed }) => {
        // React calls this when it renders the commit.
        void Promise.resolve().then(() => screen.checkRendered(entry));
        return { followed: following(followed, entry) };
      }),
    );
    // Commits that arrived while the component was hidden are on the screen now.
    screen.show(this.state.followed);
  }

  override componentDidUpdate({ screen: last }: CommitTrackerProps, { followed: before }: CommitTrackerState): void {
    const { screen } = this.props;
    const { followed } = this.state;
    if (followed !== before) screen.show(followed);
    if (screen === last) return;
    this.#end(last);
    // Components that got the former screen from `useScreen`, without the context, are not rendered again for this one.
    last.end();
    this.#start();
  }

  override componentWillUnmount(): void {
    this.#end(this.props.screen);
  }

  #end(screen: Screen): void {
    this.#stop?.();
    removeScreen(screen);
  }

  /** Rendered before the readers, whenever they are rendered with a commit that is not on the screen. */
  override render(): null {
    this.props.screen.rendered = this.state.followed;
    return null;
  }
}
