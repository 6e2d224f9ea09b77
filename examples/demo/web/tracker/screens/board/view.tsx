import { type DragEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { Link } from '../../../shell/link.tsx';
import { type IssueFields, KIND_NAMES, type State, STATE_NAMES, STATES } from '../../fields.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { Saving } from '../../parts/saving.tsx';
import { WindowList } from '../../parts/window-list.tsx';

const CARD_HEIGHT = 98;
const DRAGGED = 'application/x-issue';

interface BoardProps {
  /** Announces the last move to screen readers. */
  readonly announcement: string;
  readonly children: ReactNode;
}

export function Board({ announcement, children }: BoardProps) {
  return (
    <>
      <p className="soft small">
        Drag a card, or focus one: <kbd>←</kbd> <kbd>→</kbd> move it to the next column, <kbd>↑</kbd> <kbd>↓</kbd> go to
        the next card.
      </p>
      <div className="board">{children}</div>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
    </>
  );
}

interface ColumnProps<Issue> {
  readonly state: State;
  readonly issues: readonly Issue[];
  readonly keyOf: (issue: NoInfer<Issue>) => string;
  readonly onDrop: (id: string) => void;
  readonly children: (issue: NoInfer<Issue>) => ReactNode;
}

export function Column<Issue extends IssueFields>({ state, issues, keyOf, onDrop, children }: ColumnProps<Issue>) {
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    onDrop(event.dataTransfer.getData(DRAGGED));
  };
  return (
    <section
      className={isOver ? 'column over' : 'column'}
      aria-label={STATE_NAMES[state]}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <h2 className="row apart one-line">
        <span className={`dot ${state}`}>{STATE_NAMES[state]}</span>
        <span className="soft num">{issues.length}</span>
      </h2>
      <WindowList label={`Issues: ${STATE_NAMES[state]}`} items={issues} keyOf={keyOf} rowHeight={CARD_HEIGHT}>
        {children}
      </WindowList>
    </section>
  );
}

interface CardProps {
  readonly issue: IssueFields;
  readonly isPending: boolean;
  readonly onMove: (state: State) => void;
}

export function Card({ issue, isPending, onMove }: CardProps) {
  const { id, title, state, priority, kind, assignee } = issue;
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = step === undefined ? undefined : STATES[STATES.indexOf(state) + step];
    if (next !== undefined) {
      event.preventDefault();
      onMove(next);
      focusWhenThere(id);
    }
    const line = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (line !== undefined) {
      event.preventDefault();
      focusNeighbour(event.currentTarget, line);
    }
  };
  return (
    <div
      className={isPending ? 'board-card pending' : 'board-card'}
      draggable
      aria-busy={isPending}
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, id)}
    >
      <Link href={`/issues/${id}`} data-card={id} onKeyDown={onKeyDown} draggable={false}>
        {title}
      </Link>
      <span className="row one-line apart">
        <span className="row one-line meta">
          <span className={`kind ${kind}`}>{KIND_NAMES[kind]}</span>
          <span className={`flag p${priority}`} aria-label={`Priority ${priority + 1} of 4`} role="img" />
          <Saving isPending={isPending} />
        </span>
        <span className="row one-line">
          <MoveControl issue={issue} onMove={onMove} />
          <Avatar person={assignee} />
        </span>
      </span>
    </div>
  );
}

/** A menu for touch screens, where cards cannot be dragged. */
function MoveControl({ issue: { title, state }, onMove }: Omit<CardProps, 'isPending'>) {
  return (
    <select
      className="move"
      aria-label={`Move ${title}`}
      value={state}
      onChange={(event) => onMove(event.target.value as State)}
    >
      {STATES.map((one) => (
        <option key={one} value={one}>
          {STATE_NAMES[one]}
        </option>
      ))}
    </select>
  );
}

/** In the other column, the card is a new element. */
function focusWhenThere(id: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-card="${id}"]`)?.focus());
}

function focusNeighbour(card: Element, step: number): void {
  const cards = [...(card.closest('ul')?.querySelectorAll<HTMLElement>('[data-card]') ?? [])];
  cards[cards.findIndex((one) => one === card) + step]?.focus();
}
