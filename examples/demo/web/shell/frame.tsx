import { useEffect, useState } from 'react';
import { AsyncBoundary } from 'rejoin/react';
import type { RequestLog } from '../net/request-log.ts';
import type { Simulation } from '../net/simulation.ts';
import { type DemoPage, groups, pageAt } from '../pages/index.ts';
import { CodePanel } from './code-panel.tsx';
import { Failure } from './failure.tsx';
import { Link } from './link.tsx';
import { RequestsPanel } from './requests-panel.tsx';
import { usePath } from './router.ts';
import { SimulationBar } from './simulation-bar.tsx';
import { TablesPanel } from './tables-panel.tsx';

interface Props {
  readonly log: RequestLog;
  readonly simulation: Simulation;
}

/** Navigation, the page, and beside it its source, its tables and its requests. */
export function Frame({ log, simulation }: Props) {
  const page = pageAt(usePath());
  useEffect(() => {
    document.title = `${page.title} · Rejoin`;
  }, [page]);
  return (
    <div className="frame">
      <a className="skip" href="#stage">
        Skip to the page
      </a>
      <Side page={page} />
      <main className="stage" id="stage" tabIndex={-1}>
        <header>
          <h1>{page.title}</h1>
          <p>{page.about}</p>
        </header>
        <SimulationBar simulation={simulation} />
        <AsyncBoundary key={page.path} fallback={<Waiting />} errorComponent={Failure}>
          <page.Page />
        </AsyncBoundary>
      </main>
      <Panels key={page.path} page={page} log={log} />
    </div>
  );
}

function Side({ page }: { readonly page: DemoPage }) {
  return (
    <div className="side">
      <Link href="/" className="brand">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M4 8h10v7h4v3h10v7H18v-7h-4v-3H4z" fill="currentColor" />
        </svg>
        Rejoin
      </Link>
      <nav aria-label="Pages">
        {groups.map(({ name, pages }) => (
          <section key={name} className="stack" style={{ gap: 0, marginBottom: 16 }}>
            <h2>{name}</h2>
            <ul>
              {pages.map(({ path, title }) => (
                <li key={path}>
                  <Link href={path} className="page" aria-current={path === page.path ? 'page' : undefined}>
                    {title}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <ThemeSwitch />
    </div>
  );
}

const TABS = ['Code', 'Tables', 'Requests'] as const;

function Panels({ page, log }: { readonly page: DemoPage; readonly log: RequestLog }) {
  const [tab, setTab] = useState<(typeof TABS)[number]>('Code');
  const moveTo = (next: (typeof TABS)[number]): void => {
    setTab(next);
    document.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <aside className="panels" aria-label="Behind the page">
      <div className="tabs" role="tablist" aria-label="Behind the page">
        {TABS.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === tab}
            aria-controls="panel"
            tabIndex={name === tab ? 0 : -1}
            onClick={() => setTab(name)}
            onKeyDown={(event) => {
              const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
              if (step !== undefined) moveTo(TABS[(TABS.indexOf(name) + step + TABS.length) % TABS.length] ?? name);
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <div className="panel" role="tabpanel" id="panel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        {tab === 'Code' && <CodePanel files={page.files} />}
        {tab === 'Tables' && <TablesPanel />}
        {tab === 'Requests' && <RequestsPanel log={log} />}
      </div>
    </aside>
  );
}

function Waiting() {
  return (
    <div className="stack" role="status" aria-label="Loading">
      <div className="skeleton" style={{ height: 92 }} />
      <div className="skeleton" style={{ height: 92 }} />
      <div className="skeleton" style={{ height: 92 }} />
    </div>
  );
}

function ThemeSwitch() {
  const [theme, setTheme] = useState(document.documentElement.dataset['theme'] ?? 'auto');
  const choose = (next: string): void => {
    setTheme(next);
    document.documentElement.dataset['theme'] = next;
    localStorage.setItem('theme', next);
  };
  return (
    <label className="row small soft" style={{ padding: '0 8px', marginTop: 'auto' }}>
      Theme
      <select className="field" value={theme} onChange={(event) => choose(event.target.value)}>
        <option value="auto">as the system</option>
        <option value="light">light</option>
        <option value="dark">dark</option>
      </select>
    </label>
  );
}
