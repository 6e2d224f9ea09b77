import { All } from 'rejoin';
import { memoryStorage } from 'rejoin/persist';
import { Todo } from '../model.ts';
import { type App, ignore, kill, Note, pksOf, settle, start } from './app.ts';
import { Server } from './server.ts';

/** The actions of the users, in order, which are the whole model. At the end each must have one effect, in the order of its record. */
export interface ExpectedEdit {
  /** Identifies the edit in the texts that it writes. */
  readonly text: string;
  /** The edits whose effects must come before. */
  readonly after: readonly string[];
  /** Whether the user has edited or discarded it. */
  isGone: boolean;
}

function random(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e_37_79_b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

const textOf = (body: Readonly<Record<string, unknown>>): string => String(body['title'] ?? body['text']);

/** Runs one random history of edits, failures, kills and restarts. Returns what went wrong. */
export async function runHistory(seed: number): Promise<string[]> {
  const draw = random(seed);
  const server = new Server();
  const storage = memoryStorage();
  const model = new Map<string, ExpectedEdit>();
  /** The last edit of each record, by the text that its create has written. */
  const last = new Map<string, string>();
  /** The text that the create of each record has written, by the pk that this start shows. */
  const createdBy = new Map<string, string>();
  const wrong: string[] = [];
  let count = 0;
  let app: App = await start({ server, storage });
  let isOver = false;
  server.trouble = ({ body }) => {
    if (isOver) return undefined;
    if (textOf(body).includes('bad')) return 422;
    const kind = draw(12);
    return kind === 0
      ? 'offline'
      : kind === 1
        ? 'lost answer'
        : kind === 2
          ? 503
          : kind === 3
            ? 500
            : kind === 4
              ? 409
              : undefined;
  };
  const note = (text: string, record: string | undefined, before: string | undefined): void => {
    model.set(text, { text, after: before === undefined ? [] : [before], isGone: false });
    if (record !== undefined) last.set(record, text);
  };
  const titleOf = (pk: string): string => String(app.store.get(Todo, pk)?.title);
  const rootOf = (pk: string): string => createdBy.get(pk) ?? titleOf(pk);

  const steps: readonly (() => unknown)[] = [
    () => {
      const text = `t${++count}${draw(8) === 0 ? ' bad' : ''}`;
      note(text, text, undefined);
      const before = new Set(pksOf(app.store, Todo));
      app.controller.fetch(app.todos.create, { title: text }).catch(ignore);
      const made = pksOf(app.store, Todo).find((pk) => !before.has(pk));
      if (made !== undefined) createdBy.set(made, text);
    },
    () => {
      const pks = pksOf(app.store, Todo);
      const pk = pks[draw(pks.length || 1)];
      if (pk === undefined) return;
      const root =
        [...last.keys()].find((text) => titleOf(pk) === text || last.get(text) === titleOf(pk)) ?? rootOf(pk);
      const text = `u${++count}${draw(10) === 0 ? ' bad' : ''}`;
      note(text, root, last.get(root));
      app.controller.fetch(app.todos.partialUpdate, { id: pk }, { title: text }).catch(ignore);
    },
    () => {
      const pks = pksOf(app.store, Todo);
      const pk = pks[draw(pks.length || 1)];
      if (pk === undefined) return;
      const text = `n${++count}`;
      note(text, undefined, undefined);
      app.controller.fetch(app.notes.create, { text, todoId: pk }).catch(ignore);
    },
    () => (server.isOnline = !server.isOnline),
    () => settle(1 + draw(4)),
    async () => {
      await app.outbox.flush();
      kill(app);
      createdBy.clear();
      app = await start({ server, storage });
    },
    () => {
      const entry = app.outbox.entries().find(({ state }) => state === 'stopped');
      const [first, second] = entry?.args ?? [];
      const body = (second ?? first) as Readonly<Record<string, unknown>> | undefined;
      if (entry === undefined || body === undefined) return;
      if (draw(2) === 0) return app.outbox.retry();
      const text = textOf(body);
      const known = model.get(text);
      if (draw(3) === 0) {
        if (known !== undefined) known.isGone = true;
        return app.outbox.discard(entry.id);
      }
      const next = text.replace(' bad', '');
      const field = 'text' in body ? 'text' : 'title';
      const args = second === undefined ? [{ ...body, [field]: next }] : [first, { ...body, [field]: next }];
      try {
        app.outbox.edit(entry.id, ...args);
      } catch {
        // It may have reached the server.
        return undefined;
      }
      if (known !== undefined && next !== text) {
        model.delete(text);
        model.set(next, { ...known, text: next });
        for (const [record, one] of last) if (one === text) last.set(record, next);
        for (const [at, one] of model)
          model.set(at, { ...one, after: one.after.map((other) => (other === text ? next : other)) });
      }
    },
  ];
  for (let step = 0; step < 25; step++)
    await (steps[[0, 0, 1, 1, 1, 2, 3, 4, 4, 4, 5, 6][draw(12)] ?? 0] as () => unknown)(); // oxlint-disable-line no-await-in-loop -- one after another
  isOver = true;
  server.isOnline = true;
  for (let round = 0; round < 4; round++) {
    app.outbox.retry();
    await settle(40); // oxlint-disable-line no-await-in-loop -- until nothing is left
  }
  wrong.push(...judged(app, server, model).map((text) => `seed ${seed}: ${text}`));
  kill(app);
  return wrong;
}

function judged(app: App, server: Server, model: ReadonlyMap<string, ExpectedEdit>): string[] {
  const wrong: string[] = [];
  const waiting = app.outbox.entries();
  const isUnmakeable = ({ error }: (typeof waiting)[number]): boolean =>
    ['record-never-created', 'outbox-blocked'].includes(String(Reflect.get(Object(error) as object, 'code')));
  const left = new Set(waiting.filter(isUnmakeable).map(({ args }) => textOf(Object(args.at(-1)) as never)));
  for (const entry of waiting) if (!isUnmakeable(entry)) wrong.push(`left: ${JSON.stringify(entry)}`);
  const order = server.effects.map(({ body }) => textOf(body));
  for (const text of new Set(order)) if (order.filter((one) => one === text).length > 1) wrong.push(`doubled: ${text}`);
  for (const { after, isGone, text } of model.values()) {
    const at = order.indexOf(text);
    if (at < 0 && !isGone && !left.has(text)) wrong.push(`lost: ${text}`);
    for (const before of after) if (at >= 0 && order.indexOf(before) > at) wrong.push(`${text} before ${before}`);
  }
  for (const { body, path } of server.effects)
    if (JSON.stringify([body, path]).includes('temp:'))
      wrong.push(`temporary pk sent: ${JSON.stringify(body)} ${path}`);
  for (const [place, record] of server.records) {
    const [, table = '', pk = ''] = place.split('/');
    const shown = table === 'todos' ? app.store.get(Todo, pk) : app.store.get(Note, pk);
    const field = table === 'todos' ? 'title' : 'text';
    if (shown !== undefined && Reflect.get(shown, field) !== record[field])
      wrong.push(`${place} shows ${String(Reflect.get(shown, field))}, the server has ${String(record[field])}`);
  }
  const shownNotes = app.store.get(new All(Note)) ?? [];
  for (const note of shownNotes) if (note.id.startsWith('temp:')) wrong.push(`a guess stayed: ${note.text}`);
  return wrong;
}
