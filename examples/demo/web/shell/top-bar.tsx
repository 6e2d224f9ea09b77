import type { ReactNode } from 'react';
import type { Simulation } from '../net/simulation.ts';
import { screens } from '../tracker/shell/screens.ts';
import { Link } from './link.tsx';
import { NetworkControl } from './network-control.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

interface Props {
  readonly path: string;
  readonly isTracker: boolean;
  readonly simulation: Simulation;
  /** Further controls of one part of the demo. */
  readonly children?: ReactNode;
}

/** The bar at the top of every page, with the screens, the network, and a link to the other part of the demo. */
export function TopBar({ path, isTracker, simulation, children }: Props) {
  return (
    <header className="top">
      <Link href="/" className="brand" aria-label="Rejoin">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M4 8h10v7h4v3h10v7H18v-7h-4v-3H4z" fill="currentColor" />
        </svg>
        <span>Rejoin</span>
      </Link>
      {isTracker && (
        <nav className="screens" aria-label="Screens">
          {screens.map((screen) => (
            <Link key={screen.path} href={screen.path} aria-current={screen.path === path ? 'page' : undefined}>
              {screen.name}
            </Link>
          ))}
        </nav>
      )}
      <span className="grow" />
      <NetworkControl simulation={simulation} />
      {children}
      <ThemeSwitch />
      <Link className="other-part" href={isTracker ? '/overview' : '/'}>
        {isTracker ? 'How it works' : 'Issue tracker'}
      </Link>
    </header>
  );
}
