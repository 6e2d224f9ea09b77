import { Entity } from '../../../src/index.ts';

class Named extends Entity {
  id = 0;
  name = '';
}
export class Project extends Named {
  static override key = 'Project';
}
export class Status extends Named {
  static override key = 'Status';
}
export class User extends Named {
  static override key = 'User';
}
export class Issue extends Entity {
  id: number | string = 0;
  project_id = 0;
  subject = '';
  done_ratio = 0;
  spent_hours = 0;
  status?: Status;
  assigned_to?: User;
  lock_version = 0;
  static override key = 'Issue';
  static override schema = { status: Status, assigned_to: User };
}
export class TimeEntry extends Entity {
  id: number | string = 0;
  hours = 0;
  issue?: Issue;
  static override key = 'TimeEntry';
  static override schema = { issue: Issue };
}
