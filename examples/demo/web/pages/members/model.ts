import { belongsTo, Entity, from, hasMany, resource, through } from 'rejoin';

export class User extends Entity {
  id = '';
  name = '';
  static key = 'Member';
  static teams = hasMany(
    () => Team,
    through(() => Membership, 'userId', 'teamId'),
  ).orderBy('name');
}

export class Team extends Entity {
  id = 0;
  name = '';
  static key = 'Team';
  static people = hasMany(
    () => User,
    through(() => Membership, 'teamId', 'userId'),
  ).orderBy('name');
  static memberships = hasMany(() => Membership, 'teamId');
}

/** The link between a person and a team, with data of its own. */
export class Membership extends Entity {
  id = 0;
  teamId = 0;
  userId = 0;
  role: 'lead' | 'member' | 'guest' = 'member';
  static key = 'Membership';
  static user = belongsTo(() => User, 'userId');
}

const urlPrefix = '/api';
export const users = resource({ urlPrefix, path: '/users/:id', searchParams: {} as { perPage: number }, schema: User });
export const teams = resource({ urlPrefix, path: '/teams/:id', schema: Team });
export const memberships = resource({ urlPrefix, path: '/memberships/:id', schema: Membership, optimistic: true });

export const allTeams = from(Team).orderBy('name').with({ people: Team.people.count() });
/** The people of a team, each with the data of the link and all teams of the person. */
export const membersOf = Team.memberships.with({ user: Membership.user });
