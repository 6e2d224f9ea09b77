import { useState } from 'react';
import { type DemoPage, groups, overview } from '../pages/index.ts';
import { Link } from './link.tsx';

/** The navigation. On a phone it is closed until the user opens it. */
export function Side({ page }: { readonly page: DemoPage }) {
  // It is open only for the page on which it was opened, so navigation closes it.
  const [openOn, setOpenOn] = useState<string>();
  const isOpen = openOn === page.path;
  return (
    <div className={isOpen ? 'side open' : 'side'}>
      <button
        type="button"
        className="button tiny menu"
        aria-expanded={isOpen}
        onClick={() => setOpenOn(isOpen ? undefined : page.path)}
      >
        All pages
      </button>
      <nav aria-label="Pages">
        <PageLink page={overview} current={page} />
        {groups.map(({ name, pages }) => (
          <section key={name}>
            <h2>{name}</h2>
            <ul>
              {pages.map((one) => (
                <li key={one.path}>
                  <PageLink page={one} current={page} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </div>
  );
}

function PageLink({ page, current }: { readonly page: DemoPage; readonly current: DemoPage }) {
  return (
    <Link href={page.path} className="page" aria-current={page === current ? 'page' : undefined}>
      {page.name}
    </Link>
  );
}
