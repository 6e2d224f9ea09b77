import { scramble } from '../random.ts';
import type { Part, Sizes } from './seed-part.ts';
import { TEAMS } from './words.ts';

const ROLES = ['lead', 'member', 'guest'];

/** The largest number of people in teams, so that a page can show all memberships. */
const MAX_PEOPLE = 40;

export function teamParts({ users }: Sizes): readonly Part[] {
  const people = Math.min(MAX_PEOPLE, users);
  return [
    {
      table: 'team',
      columns: 'id int, parent_id int, name text',
      count: TEAMS.length,
      row: (at) => {
        const [name, parent] = TEAMS[at] ?? ['', null];
        return { id: at + 1, parent_id: parent, name };
      },
    },
    {
      table: 'membership',
      columns: 'id int, team_id int, user_id int, role text',
      count: people * 2,
      // Each person is in two teams, one in each half of the list. The first person in a team is its lead.
      row: (at) => {
        const half = TEAMS.length / 2;
        const place = Math.floor(at / 2);
        return {
          id: at + 1,
          team_id: at % 2 === 0 ? (place % half) + 1 : half + ((3 * place + 1 + Math.floor(place / half)) % half) + 1,
          user_id: place + 1,
          role: place < half ? 'lead' : ROLES[1 + (scramble(6, at) % 2)],
        };
      },
    },
  ];
}
