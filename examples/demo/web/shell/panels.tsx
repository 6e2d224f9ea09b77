import { useState } from 'react';
import type { RequestLog } from '../net/request-log.ts';
import type { DemoPage } from '../pages/index.ts';
import { CodePanel } from './code-panel.tsx';
import { RequestsPanel } from './requests-panel.tsx';
import { TablesPanel } from './tables-panel.tsx';

const TABS = ['Code', 'Tables', 'Requests'] as const;

/** Beside the page: its source, what is stored, and what was asked for. */
export function Panels({ page, log }: { readonly page: DemoPage; readonly log: RequestLog }) {
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
        {tab === 'Tables' && <TablesPanel references={page.references} />}
        {tab === 'Requests' && <RequestsPanel log={log} />}
      </div>
    </aside>
  );
}
