import {
  Component,
  type ComponentType,
  memo,
  type ReactNode,
  startTransition,
  StrictMode,
  Suspense,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { onTestFinished } from 'vitest';
import { Controller, Endpoint, Entity } from 'rejoin';
import { DataProvider, useQuery, useSuspense } from 'rejoin/react';

export class Post extends Entity {
  id = '';
  title = '';
  static override key = 'Post';
}

/** A server whose answers the test sends. */
export class Server {
  readonly asked: string[] = [];
  readonly #waiting: {
    readonly name: string;
    readonly answer: (response: unknown) => void;
    fail(error: Error): void;
  }[] = [];
  /** Returns the answer to send at once; `undefined` to wait for `answer()` or `fail()`. */
  respond: ((name: string) => unknown) | undefined;

  ask(name: string): Promise<unknown> {
    this.asked.push(name);
    const response = this.respond?.(name);
    if (response instanceof Error) return Promise.reject(response);
    if (response !== undefined) return Promise.resolve(response);
    return new Promise((answer, fail) => this.#waiting.push({ name, answer, fail }));
  }

  /** Returns a function that sends the request `name`, for any arguments. */
  answers<Args extends readonly unknown[]>(name: string): (...args: Args) => Promise<unknown> {
    return () => this.ask(name);
  }

  isWaiting(name: string): boolean {
    return this.#waiting.some((one) => one.name === name);
  }

  answer(name: string, response: unknown): void {
    for (const { answer } of this.#take(name)) answer(response);
  }

  fail(name: string, error: Error): void {
    for (const waiting of this.#take(name)) waiting.fail(error);
  }

  #take(name: string): readonly { answer: (response: unknown) => void; fail(error: Error): void }[] {
    const taken = this.#waiting.filter((one) => one.name === name);
    if (taken.length === 0) throw new Error(`${name} was not asked for.`);
    for (const one of taken) this.#waiting.splice(this.#waiting.indexOf(one), 1);
    return taken;
  }
}

/** A clock, a server with posts, and a controller. */
export function world() {
  const clock = { time: 1_000_000 };
  const server = new Server();
  const controller = new Controller({ now: () => clock.time });
  const getPost = new Endpoint(({ id }: { id: string }) => server.ask(`post ${id}`), { name: 'getPost', schema: Post });
  const getPosts = new Endpoint(server.answers<[{ page: number }]>('posts'), { name: 'getPosts', schema: [Post] });
  onTestFinished(() => controller.dispose());
  return { clock, server, controller, getPost, getPosts };
}

/** The title of post 1. */
export function Title(): ReactNode {
  return ` ${useQuery(Post, { id: '1' })?.title}`;
}

/** A page with the title of post 1 and another post. `go` chooses the other post, and `more` mounts `Late`. */
export function travelling({ getPost }: Pick<ReturnType<typeof world>, 'getPost'>, Late: ComponentType = Title) {
  const actions: { go(id: string): void; more(isMore: boolean): void } = { go: () => {}, more: () => {} };
  function Other({ id }: { id: string }): ReactNode {
    const post = useSuspense(getPost, id === '1' ? null : { id });
    return ` ${post?.title ?? 'first'}`;
  }
  const Page = memo(function Page(): ReactNode {
    const [id, go] = useState('1');
    const [isMore, more] = useState(false);
    Object.assign(actions, { go, more });
    return (
      <>
        <Title />
        <Other id={id} />
        {isMore && <Late />}
      </>
    );
  });
  return { actions, Page };
}

/** An element below a provider and a Suspense boundary. */
export function inProvider(controller: Controller, children: ReactNode, keepsScreen = false): ReactNode {
  return (
    <DataProvider controller={controller} keepsScreen={keepsScreen}>
      <Suspense fallback="loading">{children}</Suspense>
    </DataProvider>
  );
}

/**
 * On the page of `travelling`: writes a title of post 1 and goes to post 2 in one transition, and mounts `Late` while the transition waits
 * for post 2.
 */
export async function mountLate(
  { controller, server }: Pick<ReturnType<typeof world>, 'controller' | 'server'>,
  { go, more }: ReturnType<typeof travelling>['actions'],
  title: string,
): Promise<void> {
  startTransition(() => {
    void controller.set(Post, { id: '1' }, { id: '1', title });
    go('2');
  });
  await until(() => server.asked.includes('post 2'));
  await rest();
  click(() => more(true));
  await rest();
}

export interface Shown {
  readonly root: Root;
  readonly container: HTMLElement;
  /** Every visible text, in order. */
  readonly frames: string[];
  readonly errors: unknown[];
  text(): string;
  render(element: ReactNode): void;
  unmount(): void;
}

/** Mounts an element, and records every visible text. */
export function show(element: ReactNode, { isStrict = true } = {}): Shown {
  const container = document.createElement('div');
  document.body.append(container);
  const errors: unknown[] = [];
  const root = createRoot(container, {
    onRecoverableError: (error) => errors.push(error),
    // The tests check the errors that boundaries catch.
    onCaughtError: () => {},
  });
  const frames: string[] = [];
  const note = (): void => {
    const text = seen(container);
    if (frames.at(-1) !== text) frames.push(text);
  };
  const observer = new MutationObserver(note);
  observer.observe(container, { subtree: true, childList: true, characterData: true, attributes: true });
  const render = (next: ReactNode): void => root.render(isStrict ? <StrictMode>{next}</StrictMode> : next);
  const unmount = (): void => {
    observer.disconnect();
    root.unmount();
    container.remove();
  };
  onTestFinished(unmount);
  render(element);
  return { root, container, frames, errors, text: () => seen(container), render, unmount };
}

/** The visible text. */
export function seen(node: Node): string {
  if (node.nodeType === 3) return node.nodeValue ?? '';
  if ((node as HTMLElement).style?.display === 'none') return '';
  return [...node.childNodes].map(seen).join('');
}

/** Waits until a condition holds. Fails after 20 seconds. */
export async function until(isSo: () => boolean, what: () => unknown = () => isSo.toString()): Promise<void> {
  const end = Date.now() + 20_000;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`This did not happen: ${String(what())}`);
    // oxlint-disable-next-line no-await-in-loop
    await turn();
  }
}

/** As `until`, as the assertion of a test. */
export async function expectSoon(isSo: () => boolean): Promise<void> {
  await until(isSo);
}

/** One turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

/** Lets pending work finish, for some turns of the event loop. */
export async function rest(turns = 20): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop
  for (let at = 0; at < turns; at++) await turn();
}

/** An error boundary that shows the message of the error. */
export class Catch extends Component<{ readonly children?: ReactNode }, { readonly error?: Error }> {
  override state: { readonly error?: Error } = {};

  static getDerivedStateFromError(error: Error): { readonly error: Error } {
    return { error };
  }

  override render(): ReactNode {
    return this.state.error === undefined ? this.props.children : `failed: ${this.state.error.message}`;
  }
}

/** Runs an urgent update, as a click would. React does not recognize clicks in the emulated page. */
export function click(run: () => void): void {
  const button = document.createElement('button');
  document.body.append(button);
  button.addEventListener('click', () => flushSync(run));
  button.click();
  button.remove();
}

/** Keeps the thread busy. */
export function blockThread(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
