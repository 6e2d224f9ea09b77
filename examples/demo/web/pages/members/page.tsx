import { useState } from 'react';
import { keyOf } from 'rejoin';
import { useController, useQuery, useSuspense } from 'rejoin/react';
import { ModelDiagram } from '../../shell/model-diagram.tsx';
import { Person } from '../../shell/person.tsx';
import { allTeams, Membership, membersOf, memberships, teams, Team, User, users } from './model.ts';

const ROLES = ['lead', 'member', 'guest'] as const;

export function MembersPage() {
  // Three flat lists. Everything below is joined on the client.
  useSuspense(teams.getList);
  useSuspense(memberships.getList);
  const people = useSuspense(users.getList, { perPage: 40 });
  const list = useQuery(allTeams) ?? [];
  const [id, choose] = useState(2);
  return (
    <div className="stack">
      <label className="row">
        Team
        <select className="field" value={id} onChange={(event) => choose(Number(event.target.value))}>
          {list.map((team) => (
            <option key={team.id} value={team.id}>
              {team.name} ({team.people})
            </option>
          ))}
        </select>
      </label>
      <Members key={id} teamId={id} people={people} />
      <ModelDiagram model={[User, Team, Membership]} />
    </div>
  );
}

function Members({ teamId, people }: { readonly teamId: number; readonly people: readonly User[] }) {
  const controller = useController();
  const members = useQuery(membersOf, teamId) ?? [];
  const inside = new Set((useQuery(Team.people, teamId) ?? []).map(({ id }) => id));
  const add = (userId: number): void => {
    controller.fetch(memberships.getList.push, { teamId, userId, role: 'member' }).catch(() => {});
  };
  return (
    <>
      <ul className="card lines" aria-label="Members">
        {members.map(({ user, ...member }) => (
          <Member key={member.id} id={member.id} role={member.role} user={user} />
        ))}
      </ul>
      <label className="row">
        Add
        <select className="field" value="" onChange={(event) => add(Number(event.target.value))}>
          <option value="">a person</option>
          {people
            .filter((one) => !inside.has(one.id))
            .map((one) => (
              <option key={keyOf(one)} value={one.id}>
                {one.name}
              </option>
            ))}
        </select>
      </label>
    </>
  );
}

interface MemberProps {
  readonly id: number;
  readonly role: Membership['role'];
  readonly user: User | undefined;
}

function Member({ id, role, user }: MemberProps) {
  const controller = useController();
  const change = (to: Membership['role']): void => {
    controller.fetch(memberships.partialUpdate, { id }, { role: to }).catch(() => {});
  };
  return (
    <li className="row apart">
      <span className="stack tight">
        {user !== undefined && <Person id={user.id} name={user.name} />}
        {user !== undefined && <Teams user={user} />}
      </span>
      <span className="row one-line">
        <label>
          <span className="visually-hidden">Role of {user?.name}</span>
          <select className="field" value={role} onChange={(event) => change(event.target.value as Membership['role'])}>
            {ROLES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <button
          type="button"
          className="button quiet tiny"
          aria-label={`Remove ${user?.name}`}
          onClick={() => void controller.fetch(memberships.delete, { id }).catch(() => {})}
        >
          ✕
        </button>
      </span>
    </li>
  );
}

/** The same links from the other side. */
function Teams({ user }: { readonly user: User }) {
  const list = useQuery(User.teams, user) ?? [];
  return <span className="soft small">{list.map(({ name }) => name).join(', ')}</span>;
}
