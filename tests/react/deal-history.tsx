/** Random histories of a page with several lists, compared with a simple server. */
import { startTransition } from 'react';
import { DataProvider } from 'rejoin/react';
import type { Deal } from './deal-model.ts';
import { firstOf, isDetail, pageOf, type Place, type ShownList } from './deal-page.tsx';
import { type KeptDeal, pass, type Troubles } from './deal-server.ts';
import { draw, leftOut, Stage } from './deal-steps.ts';
import { rest, show, type Shown, turn } from './harness.tsx';
import { FrameCheck, type HistoryOptions, idle, LANES, type Outcome, runIn } from './histories.ts';
import { type Random, random } from './random.ts';

/** A mutation may cause one read of each request on the screen, and this many more. */
const MORE_READS = 3;

/** No step has a reason for more renders than this. */
const MAX_RENDERS = 2000;

const NONE: Troubles = { refused: 0, lost: 0, failing: 0 };

export interface DealOutcome extends Outcome {
  /** The mutations without anything else that reads, and the reads that followed from them. */
  readonly mutations: number;
  readonly reads: number;
}

class History {
  readonly log: string[] = [];
  readonly faults: string[] = [];
  mutations = 0;
  reads = 0;
  readonly #stage: Stage;
  readonly #shown: Shown;
  readonly #without: ReadonlySet<string>;
  readonly #troubles: Troubles;
  readonly #frames: FrameCheck;

  constructor(seed: number, without: ReadonlySet<string>) {
    const choice = random(seed);
    const { isLucky } = choice;
    const isThere = (kind: string, chance: number): boolean => isLucky(chance) && !without.has(kind);
    const setting = {
      isOptimistic: isLucky(0.6),
      isSerial: isLucky(0.3),
      isOrdered: isLucky(0.5),
      hasOthers: isThere('others', 0.3),
      maxPages: isThere('maxPages', 0.2) ? 2 : undefined,
    };
    const isStrict = isLucky(0.3);
    const [isFlaky, isFailing] = [isThere('troubles', 0.4), isThere('failing', 0.2)];
    this.#troubles = { refused: isFlaky ? 0.1 : 0, lost: isFlaky ? 0.15 : 0, failing: isFailing ? 0.2 : 0 };
    this.#without = new Set([...without, ...leftOut(choice, setting)]);
    this.#stage = new Stage(seed, setting);
    const { controller, root } = this.#stage;
    this.log.push(
      JSON.stringify({ ...setting, isStrict, ...this.#troubles }),
      ...root.state.places.map((place) => JSON.stringify(place)),
    );
    const PageView = pageOf(root);
    this.#shown = show(
      <DataProvider controller={controller}>
        <PageView />
      </DataProvider>,
      { isStrict },
    );
    this.#frames = new FrameCheck(this.#shown);
  }

  async play(seed: number, { steps, only }: HistoryOptions): Promise<void> {
    const { server } = this.#stage;
    await this.#rest();
    server.troubles = this.#troubles;
    server.reads = [];
    for (let at = 0; at < steps && this.faults.length === 0; at++) {
      if (only?.has(at) === false) continue;
      const choice = random(seed * 1000 + at);
      this.#act(choice);
      const isResting = this.#without.has('burst') || choice.isLucky(0.4);
      // oxlint-disable-next-line no-await-in-loop -- steps follow each other
      await (isResting ? this.#settle() : pass(choice.below(5)));
    }
    if (this.faults.length === 0) await this.#settle();
    if (this.faults.length === 0) await this.#refresh();
    this.#watch();
    if (this.faults.length > 0) this.#note('at the fault');
  }

  #note(text: string): void {
    this.log.push(text, ...this.#stage.server.log.splice(0));
  }

  #act(choice: Random): void {
    const step = draw(this.#stage, choice, this.#without);
    const lane = choice.pick(LANES);
    this.#note(`${lane === 'plain' ? '' : `${lane}: `}${step.name}`);
    runIn(lane, step.run);
    this.#stage.isAtRest = false;
    this.#watch();
  }

  /** Waits until no request has been in flight for some turns. */
  async #rest(): Promise<void> {
    if (await idle(this.#stage.server, pass)) this.#stage.isAtRest = true;
    else this.faults.push('never comes to rest');
  }

  async #settle(): Promise<void> {
    const { controller, server, setting } = this.#stage;
    await this.#rest();
    const reads = server.reads.splice(0).length;
    const { burst = 0 } = this.#stage;
    this.#stage.burst = 0;
    if (burst > 0) {
      this.mutations += burst;
      this.reads += reads;
      const most = [...controller.shown()].length + MORE_READS;
      if (reads > most * burst) this.faults.push(`${reads} reads of ${burst} mutations`);
    }
    this.#watch();
    const isKnown = !setting.hasOthers && this.#troubles.failing === 0;
    if (isKnown && this.faults.length === 0) await this.#compare();
  }

  /** The server answers every request again, and the user comes back to the page. */
  async #refresh(): Promise<void> {
    const { root, server } = this.#stage;
    server.troubles = NONE;
    this.#note('at the end');
    startTransition(() => root.change((before) => ({ ...before, isHidden: false })));
    for (let tries = 0; tries < 3; tries++) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await this.#rest();
      this.#stage.focus(70_000);
      for (const [, retry] of root.failed.values()) retry();
    }
    await this.#rest();
    await this.#compare();
  }

  #watch(): void {
    const { root } = this.#stage;
    this.faults.push(...this.#frames.take(), ...root.faults.splice(0));
    if (root.renders > MAX_RENDERS) this.faults.push(`renders ${root.renders} times`);
    root.renders = 0;
  }

  async #compare(): Promise<void> {
    // React delays some renders.
    // oxlint-disable-next-line no-await-in-loop -- until the screen is right
    for (let tries = 0; tries < 200 && this.#wrong().length > 0; tries++) await turn();
    const wrong = this.#wrong();
    if (wrong.length > 0) this.#note('wrong');
    this.faults.push(...wrong);
  }

  /** The differences between the screen and the server. */
  #wrong(): readonly string[] {
    const { isHidden, places } = this.#stage.root.state;
    const wrong = places
      .filter((place) => !(isHidden && place.isHideable))
      .map((place) => [place, this.#wrongAt(place)] as const)
      .filter(([, fault]) => fault !== undefined)
      .map(([place, fault]) => `${JSON.stringify(place)} ${fault}`);
    if (!isHidden && this.#shown.text().includes('waiting')) wrong.push(`waits: ${this.#shown.text()}`);
    return wrong;
  }

  #wrongAt(place: Place): string | undefined {
    const { root, server } = this.#stage;
    const failed = root.failed.get(place.at);
    if (place.kind === 'won') return undefined;
    if (isDetail(place)) {
      const isThere = server.deals.some(({ id }) => id === place.id);
      if (failed !== undefined && isThere && !root.deleted.has(place.id)) return `fails: ${failed[0].message}`;
      const isKept = root.polled.has(place.id);
      return failed === undefined && !isThere && !isKept ? 'shows a deleted record' : undefined;
    }
    if (failed !== undefined) return `fails: ${failed[0].message}`;
    const shown = root.lists.get(place.at);
    if (shown === undefined) return 'shows nothing';
    return shown.infinite === undefined ? this.#wrongList(shown) : this.#wrongPages(shown);
  }

  #wrongList({ items, place, total }: ShownList): string | undefined {
    const due = this.#stage.server.list(firstOf(place.list));
    return differing(`${textOf(items)} ${total}`, `${textOf(due.items)} ${due.total}`);
  }

  /** Each page is a part of the list, and all of them are its beginning; with `maxPages`, they may be any part. */
  #wrongPages({ infinite, items, place: { list, maxPages }, total }: ShownList): string | undefined {
    const all = this.#stage.server.all(list.search);
    const partFrom = (start: Pick<Deal, 'id'> | undefined, length: number): readonly KeptDeal[] => {
      const from = Math.max(
        0,
        all.findIndex(({ id }) => id === start?.id),
      );
      return all.slice(from, from + length);
    };
    for (const page of infinite?.pages ?? []) {
      const part = partFrom(page.items[0], page.items.length);
      const wrong = differing(`${textOf(page.items)} ${page.total}`, `${textOf(part)} ${all.length}`);
      if (wrong !== undefined) return `has a page that ${wrong}`;
    }
    const due = partFrom(maxPages === undefined ? all[0] : items[0], items.length);
    const hasNext = due.at(-1) !== all.at(-1);
    return differing(
      `${textOf(items)} ${total} ${infinite?.hasNext}`,
      `${textOf(due)} ${all.length} ${hasNext && due.length > 0}`,
    );
  }

  async end(): Promise<void> {
    this.#shown.unmount();
    await rest(2);
    this.#stage.controller.dispose();
  }
}

function differing(found: string, due: string): string | undefined {
  return found === due ? undefined : `shows\n${found}, due\n${due}`;
}

function textOf(deals: readonly (Deal | KeptDeal)[]): string {
  return deals
    .map(({ id, owner, stage, title, version }) => `${id} ${title} ${stage} ${owner?.id}:${owner?.name} ${version}`)
    .join();
}

/** Plays one history, and returns its faults. */
export async function play(seed: number, options: HistoryOptions): Promise<DealOutcome> {
  const history = new History(seed, options.without);
  await history.play(seed, options);
  await history.end();
  const { faults, log, mutations, reads } = history;
  return { faults, log, mutations, reads };
}
