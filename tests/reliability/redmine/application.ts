import { Controller, NetworkManager, type Platform, resource, retrying } from '../../../src/index.ts';
import { envelope } from '../../../src/wire.ts';
import { Issue, Project, TimeEntry, User } from './entities.ts';

type Search = { project_id?: number; status_id?: number; assigned_to_id?: number; offset?: number; limit?: number };

/** The parts of an issue tracker for Redmine beside its entities. Its server omits a field that has no value. */
export function application(platform: Platform, options: { readonly optimistic: boolean; readonly serial: boolean }) {
  const shared = { ...options, platform, timeout: 1500, whole: true } as const;
  const written = { status: 'status_id', assigned_to: 'assigned_to_id' } as const;
  const search: Search = {};
  const issues = resource({
    ...shared,
    path: '/issues/:id.json',
    schema: Issue,
    searchParams: search,
    list: { where: { status_id: (one) => one.status?.id, assigned_to_id: (one) => one.assigned_to?.id } },
    wire: envelope({ one: 'issue', many: 'issues', total: 'total_count', write: written }),
  }).extend({ partialUpdate: { method: 'PUT' } });
  const [projectWire, userWire] = [envelope({ many: 'projects' }), envelope({ many: 'users' })];
  const projects = resource({ ...shared, path: '/projects/:id.json', schema: Project, wire: projectWire });
  const users = resource({ ...shared, path: '/users/:id.json', schema: User, wire: userWire });
  const timeWire = envelope({ one: 'time_entry', many: 'time_entries', write: { issue: 'issue_id' } });
  const times = resource({ ...shared, path: '/time_entries/:id.json', schema: TimeEntry, wire: timeWire });
  // The server computes the time that was spent on an issue.
  const logTime = times.create.extend({ refetches: [issues.get, issues.getList] });
  const controller = new Controller({ now: platform.now, managers: [new NetworkManager({ retry: retrying() })] });
  return { controller, issues, projects, users, times, logTime };
}
