import {
  type IssueChange,
  type IssueFields,
  type Kind,
  KIND_NAMES,
  KINDS,
  type PersonFields,
  PRIORITY_NAMES,
  type State,
  STATE_NAMES,
  STATES,
} from '../fields.ts';

interface ControlProps {
  readonly issue: IssueFields;
  readonly onChange: (change: IssueChange) => void;
  /** Set while a change cannot be sent yet. */
  readonly isDisabled?: boolean;
}

/** Shows the state of an issue, and changes it. */
export function StateControl({ issue, onChange, isDisabled = false }: ControlProps) {
  return (
    <select
      className={`state ${issue.state}`}
      aria-label={`State of ${issue.title}`}
      value={issue.state}
      disabled={isDisabled}
      onChange={(event) => onChange({ state: event.target.value as State })}
    >
      {STATES.map((state) => (
        <option key={state} value={state}>
          {STATE_NAMES[state]}
        </option>
      ))}
    </select>
  );
}

export function PriorityControl({ issue, onChange, isDisabled = false }: ControlProps) {
  return (
    <select
      className={`priority p${issue.priority}`}
      aria-label={`Priority of ${issue.title}`}
      value={issue.priority}
      disabled={isDisabled}
      onChange={(event) => onChange({ priority: Number(event.target.value) })}
    >
      {PRIORITY_NAMES.map((name, priority) => (
        <option key={name} value={priority}>
          {name}
        </option>
      ))}
    </select>
  );
}

export function KindControl({ issue, onChange }: ControlProps) {
  return (
    <select
      className="field"
      aria-label={`Kind of ${issue.title}`}
      value={issue.kind}
      onChange={(event) => onChange({ kind: event.target.value as Kind })}
    >
      {KINDS.map((kind) => (
        <option key={kind} value={kind}>
          {KIND_NAMES[kind]}
        </option>
      ))}
    </select>
  );
}

export function AssigneeControl({
  issue,
  people,
  onChange,
}: ControlProps & { readonly people: readonly PersonFields[] }) {
  return (
    <select
      className="field"
      aria-label={`Assignee of ${issue.title}`}
      value={issue.assignee?.id ?? ''}
      onChange={(event) => onChange({ assignee: event.target.value || null })}
    >
      <option value="">Unassigned</option>
      {people.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
