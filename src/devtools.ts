export { Devtools, type DevtoolsOptions } from './adapters/devtools/panel-manager.ts';
