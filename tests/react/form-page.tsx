/** A page with a list of deals, and a form that saves the title of one of them while the user types. */
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { NetworkError } from 'rejoin';
import {
  ErrorBoundary,
  type ErrorFallbackProps,
  useDebounce,
  useMutation,
  usePending,
  useQuery,
  useSuspense,
} from 'rejoin/react';
import { Deal, type Model } from './deal-model.ts';
import type { DealPage } from './deal-page.tsx';

type Id = number | string;

/** A title that was typed and sent, and its result. */
export interface Save {
  readonly id: Id;
  readonly title: string;
  outcome: 'pending' | 'accepted' | 'failed';
}

/** The content of the form. */
export interface ShownForm {
  readonly id: Id;
  readonly input: string | undefined;
  readonly error: unknown;
  /** The messages of the server for the title. */
  readonly reasons: readonly string[] | undefined;
  readonly type: (title: string) => void;
}

/** The content of the screen, and the saves of the user. */
export class Desk {
  readonly model: Model;
  /** The form saves when the user has stopped typing, instead of at each key. */
  readonly isDebounced: boolean;
  readonly saves: Save[] = [];
  shown: readonly Deal[] = [];
  form: ShownForm | undefined;
  open: (id: Id | undefined) => void = () => {};
  retry: () => void = () => {};

  constructor(model: Model, isDebounced: boolean) {
    this.model = model;
    this.isDebounced = isDebounced;
  }
}

const textOf = ({ id, stage, title }: Deal): string => ` d${String(id).replaceAll(':', '.')}:${title}/${stage}`;

function Line({ deal }: { deal: Deal }): ReactNode {
  return `${textOf(deal)}${usePending(deal) ? ' pending' : ''}`;
}

function List({ desk }: { desk: Desk }): ReactNode {
  const { items } = useSuspense(desk.model.deals.getList) as unknown as DealPage;
  useLayoutEffect(() => {
    desk.shown = items;
  });
  return items.map((deal) => <Line key={deal.pk()} deal={deal} />);
}

function Form({ id, desk }: { id: Id; desk: Desk }): ReactNode {
  const deal = useQuery(Deal, { id });
  const { mutate, error, reset } = useMutation(desk.model.deals.partialUpdate);
  // What the user typed and the server has not accepted yet.
  const [draft, setDraft] = useState<string>();
  const unsent = useRef<string>(undefined);
  const save = async (): Promise<void> => {
    const title = unsent.current;
    unsent.current = undefined;
    if (title === undefined) return;
    const made: Save = { id, title, outcome: 'pending' };
    desk.saves.push(made);
    const answer = await mutate({ id }, { title });
    made.outcome = answer === undefined ? 'failed' : 'accepted';
    if (answer !== undefined) setDraft((now) => (now === title ? undefined : now));
  };
  const [waited] = useDebounce(draft, 1);
  useEffect(() => {
    if (!desk.isDebounced || waited === draft) void save();
  }, [draft, waited]);
  // The last typed title is saved when the user leaves the form.
  useEffect(() => () => void save(), []);
  useLayoutEffect(() => {
    const type = (title: string): void => {
      unsent.current = title;
      reset();
      setDraft(title);
    };
    const reasons = error instanceof NetworkError ? error.fieldErrors?.['title'] : undefined;
    desk.form = { id, input: draft ?? deal?.title, error, reasons, type };
    return () => {
      desk.form = undefined;
    };
  });
  return deal ? `${textOf(deal)} (${draft})` : ' gone';
}

/** The page of a history. */
export function deskView(desk: Desk): () => ReactNode {
  function Failed({ resetErrorBoundary }: ErrorFallbackProps): ReactNode {
    desk.retry = resetErrorBoundary;
    return ' failed';
  }
  return function DeskView(): ReactNode {
    const [id, open] = useState<Id>();
    useLayoutEffect(() => {
      desk.open = open;
    });
    return (
      <>
        <ErrorBoundary fallbackComponent={Failed}>
          <Suspense fallback=" waiting">
            <List desk={desk} />
          </Suspense>
        </ErrorBoundary>
        {id !== undefined && <Form key={id} id={id} desk={desk} />}
      </>
    );
  };
}
