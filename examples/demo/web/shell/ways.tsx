import { groups } from '../pages/index.ts';
import { Link } from './link.tsx';

/** A list of all pages, each with its topic. */
export function Ways() {
  return (
    <div className="stack" style={{ gap: 18, marginTop: 14 }}>
      {groups.map(({ name, pages }) => (
        <section key={name} className="ways">
          <h2>{name}</h2>
          <ul>
            {pages.map(({ path, title, about }) => (
              <li key={path}>
                <Link href={path}>
                  <strong>{title}</strong>
                  <p>{about}</p>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p className="soft small">
        Each page has its source beside it. The button of the developer tools shows its tables and its requests. The
        menu “Network” at the top makes the network of this tab slow, makes changes fail, or takes the tab offline.
      </p>
    </div>
  );
}
