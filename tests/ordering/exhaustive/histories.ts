/** One step: a request is sent, or the server handles some requests and answers the last of them. */
export type Step =
  | { readonly send: number }
  | {
      readonly answer: number;
      /** The requests that the server handles in this step, in this order. The last one is answered. */
      readonly handled: readonly number[];
    };

export type History = readonly Step[];

/**
 * Generates every order in which a client can send requests and receive their answers, with every order in which the server can handle
 * them. Requests 0 to `mutations - 1` are mutations, and the others are reads. Of histories that differ only in these points, one is
 * generated:
 *
 * - the numbers of requests: mutations are sent in the order of their numbers, and so are reads;
 * - the time at which a request arrives between two answers, because no reader can see it;
 * - the order of two reads, if the server handles no mutation between them.
 */
export function* histories(mutations: number, reads: number): Generator<History> {
  yield* continued([], { mutations, reads, sent: [], waiting: [] });
}

interface Progress {
  /** How many mutations and reads have not been sent. */
  readonly mutations: number;
  readonly reads: number;
  /** The requests that were sent and not handled. */
  readonly sent: readonly string[];
  /** The requests that were sent and not answered. */
  readonly waiting: readonly string[];
}

function* continued(history: readonly NamedStep[], progress: Progress): Generator<History> {
  const { mutations, reads, sent, waiting } = progress;
  if (mutations + reads + waiting.length === 0) {
    yield numbered(history);
    return;
  }
  const send = (name: string): NamedStep[] => [...history, { send: name }];
  const next = { ...progress };
  if (mutations > 0) {
    const name = `m${mutations}`;
    yield* continued(send(name), {
      ...next,
      mutations: mutations - 1,
      sent: [...sent, name],
      waiting: [...waiting, name],
    });
  }
  if (reads > 0) {
    const name = `r${reads}`;
    yield* continued(send(name), { ...next, reads: reads - 1, sent: [...sent, name], waiting: [...waiting, name] });
  }
  for (const name of waiting) {
    const others = sent.filter((other) => other !== name);
    const batches = sent.includes(name) ? ordersWithin(others).map((order) => [...order, name]) : [[]];
    for (const handled of batches.filter(isCanonical))
      yield* continued([...history, { answer: name, handled }], {
        ...next,
        sent: sent.filter((other) => !handled.includes(other)),
        waiting: waiting.filter((other) => other !== name),
      });
  }
}

type NamedStep = { readonly send: string } | { readonly answer: string; readonly handled: readonly string[] };

/** Returns every order of every subset of the names. */
function ordersWithin(names: readonly string[]): string[][] {
  return [
    [],
    ...names.flatMap((name) => ordersWithin(names.filter((other) => other !== name)).map((rest) => [name, ...rest])),
  ];
}

/** Returns whether reads that are handled one directly after another are in the order of their names. */
function isCanonical(handled: readonly string[]): boolean {
  return handled.every((name, at) => {
    const before = handled[at - 1];
    // If the last one is a read, a read directly before it could be handled later with the same result.
    if (before?.startsWith('r') === true && at === handled.length - 1 && name.startsWith('r')) return false;
    return before === undefined || !before.startsWith('r') || !name.startsWith('r') || before > name;
  });
}

/** Numbers the requests in the order in which they are sent: first all mutations, then all reads. */
function numbered(steps: readonly NamedStep[]): History {
  const names = steps.flatMap((step) => ('send' in step ? [step.send] : []));
  const order = [...names.filter((name) => name.startsWith('m')), ...names.filter((name) => name.startsWith('r'))];
  return steps.map((step) =>
    'send' in step
      ? { send: order.indexOf(step.send) }
      : { answer: order.indexOf(step.answer), handled: step.handled.map((name) => order.indexOf(name)) },
  );
}
