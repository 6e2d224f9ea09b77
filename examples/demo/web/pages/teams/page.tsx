import { useState } from 'react';
import { keyOf } from 'rejoin';
import { useController, useQuery, useSuspense } from 'rejoin/react';
import { roots, Team, teams } from './model.ts';

export function TeamsPage() {
  const all = useSuspense(teams.getList);
  const [chosen, choose] = useState(all.at(-1)?.id);
  const team = all.find(({ id }) => id === chosen);
  const tree = useQuery(roots) ?? [];
  return (
    <div className="pair">
      <ul className="card tree" aria-label="Teams">
        {tree.map((root) => (
          <Branch key={keyOf(root)} team={root} chosen={chosen} choose={choose} />
        ))}
      </ul>
      {team !== undefined && <Chosen key={team.id} team={team} all={all} />}
    </div>
  );
}

interface BranchProps {
  readonly team: Team;
  readonly chosen: number | undefined;
  readonly choose: (id: number) => void;
}

function Branch({ team, chosen, choose }: BranchProps) {
  const parts = useQuery(Team.parts, team) ?? [];
  const below = useQuery(Team.below.count(), team) ?? 0;
  return (
    <li>
      <button type="button" className="button quiet" aria-pressed={team.id === chosen} onClick={() => choose(team.id)}>
        {team.name} {below > 0 && <span className="chip num">{below}</span>}
      </button>
      {parts.length > 0 && (
        <ul>
          {parts.map((part) => (
            <Branch key={keyOf(part)} team={part} chosen={chosen} choose={choose} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** Shows the place of a team in the tree, and a menu to move it. */
function Chosen({ team, all }: { readonly team: Team; readonly all: readonly Team[] }) {
  const controller = useController();
  const above = useQuery(Team.above, team) ?? [];
  const [error, setError] = useState('');
  const move = (parentId: number): void => {
    setError('');
    controller.fetch(teams.partialUpdate, { id: team.id }, { parentId }).catch((failure: unknown) => {
      const { data } = failure as { readonly data?: { readonly detail?: string } };
      setError(data?.detail ?? 'The server could not be reached.');
    });
  };
  return (
    <section className="card stack" aria-label={team.name}>
      <h2>{team.name}</h2>
      <p className="soft">
        {above.length === 0
          ? 'Not part of another team.'
          : above
              .map(({ name }) => name)
              .toReversed()
              .join(' › ')}
      </p>
      {team.parentId !== null && (
        <label className="row">
          Part of
          <select className="field" value={team.parentId} onChange={(event) => move(Number(event.target.value))}>
            {all.map((one) => (
              <option key={keyOf(one)} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
      )}
      <p role="status">{error !== '' && <span className="chip bad">{error}</span>}</p>
      <p className="soft small">
        Make Engineering part of one of its own teams: the server answers with an error, and the tree is as it was.
      </p>
    </section>
  );
}
