export type { Wire, WireEndpoint } from './define/rest/wire-shape.ts';
export { envelope, type EnvelopeOptions } from './define/wire/envelope.ts';
export { hal, type HalOptions } from './define/wire/hal.ts';
export { jsonApi, type JsonApiOptions } from './define/wire/json-api.ts';
export { odata, type ODataOptions } from './define/wire/odata.ts';
export type { PageOptions } from './define/wire/page.ts';
export { rails, type RailsOptions } from './define/wire/rails.ts';
export { snakeCased } from './define/wire/snake-cased.ts';
