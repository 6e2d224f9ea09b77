import { Component } from 'react';
import type { Entry } from '../../control/screen/commit-entry.ts';
import { including } from '../../control/screen/commit-entry.ts';
import type { Screen } from '../../control/screen/screen.ts';
import { removeScreen } from './controller-context.ts';

interface CommitTrackerProps {
  readonly screen: Screen;
}

interface CommitTrackerState {
  readonly included: readonly Entry[];
}

/**
 * The first child of a provider, without output. Tells the screen which commits React is rendering, and which are on the screen. A class
 * component, because for each commit it costs half as much as hooks.
 */
export class CommitTracker extends Component<CommitTrackerProps, CommitTrackerState> {
  override state: CommitTrackerState = { included: [] };
  #stop: (() => void) | undefined;

  override componentDidMount(): void {
    this.#start();
  }

  #start(): void {
    const { screen } = this.props;
    this.#stop = screen.start((entry) =>
      this.setState(({ included }) => {
        // React calls this when it renders the commit.
        void Promise.resolve().then(() => screen.checkRendered(entry));
        return { included: including(included, entry) };
      }),
    );
    // Commits that arrived while the component was hidden are on the screen now.
    screen.show(this.state.included);
  }

  override componentDidUpdate({ screen: last }: CommitTrackerProps, { included: before }: CommitTrackerState): void {
    const { screen } = this.props;
    const { included } = this.state;
    if (included !== before) screen.show(included);
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
    this.props.screen.rendered = this.state.included;
    return null;
  }
}
