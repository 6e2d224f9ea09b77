import { localText, setLocalText } from '../../std/page-text.ts';

/**
 * Keeps the number of logouts of a user outside of the page. A page in the back/forward cache gets no messages, so it looks here, when it goes
 * on, whether the user has logged out on a later page.
 */
export class SessionNote {
  readonly #key: string;

  constructor(name: string) {
    this.#key = `${name} session`;
  }

  read(): number {
    return Number(localText(this.#key));
  }

  write(session: number): void {
    setLocalText(this.#key, String(session));
  }
}
