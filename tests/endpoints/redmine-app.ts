import { resource } from '../../src/index.ts';
import { envelope } from '../../src/wire.ts';
import { Issue, Status } from './redmine-entities.ts';

interface Search {
  readonly status_id?: number | 'open' | 'closed' | '*';
  readonly offset?: number;
  readonly limit?: number;
}
const search: Search = {};

export function redmine(urlPrefix: string, key: string) {
  const shared = { urlPrefix, optimistic: true, getHeaders: () => ({ 'X-Redmine-API-Key': key }) };
  const IssueResource = resource({
    ...shared,
    path: '/issues/:id.json',
    schema: Issue,
    searchParams: search,
    wire: envelope({
      one: 'issue',
      many: 'issues',
      total: 'total_count',
      write: { status: 'status_id', project: 'project_id', assigned_to: 'assigned_to_id' },
      writeOnly: { notes: '' },
    }),
  });
  const StatusResource = resource({
    ...shared,
    path: '/issue_statuses/:id.json',
    schema: Status,
    wire: envelope({ many: 'issue_statuses' }),
  });
  return { IssueResource, StatusResource };
}
