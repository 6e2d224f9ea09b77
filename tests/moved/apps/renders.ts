/** Reports to the test that a component is rendered. */
export function rendered(name: string): void {
  (globalThis as { onRender?: (name: string) => void }).onRender?.(name);
}
