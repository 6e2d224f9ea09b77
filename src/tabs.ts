export type { TabLockOptions, TabLocks, TabPort, TabsBrowser } from './adapters/tabs/tabs-browser.ts';
export type { TabsEvent } from './adapters/tabs/tabs-event.ts';
export { TabsManager, type TabsOptions } from './adapters/tabs/tabs-manager.ts';
