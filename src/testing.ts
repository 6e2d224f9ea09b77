export { act } from './adapters/testing/act.ts';
export { checkStorage } from './adapters/testing/check-storage.ts';
export { MockResolver, type MockResolverProps } from './adapters/testing/mock-resolver.ts';
export {
  cleanup,
  makeRenderDataHook,
  makeRenderDataHook as makeRenderDataClient,
  renderDataHook,
  renderDataHook as renderHook,
  type RenderDataHook,
  type RenderDataHookOptions,
  type RenderedDataHook,
  type RenderedDataHook as RenderDataHookResult,
  type TestedProviderProps,
} from './adapters/testing/render-data-hook.ts';
export type { WaitOptions } from './adapters/testing/wait-for.ts';
export type {
  AnsweredEndpoint,
  ErrorFixture,
  ErrorFixture as ErrorFixtureEndpoint,
  FetchInterceptor,
  Fixture,
  Fixture as FixtureEndpoint,
  FixtureOptions,
  Interceptor,
  ResponseInterceptor,
  SuccessFixture,
  SuccessFixture as SuccessFixtureEndpoint,
} from './control/testing/fixture.ts';
export { toHandlers, type HandlerMaker } from './control/testing/handlers.ts';
export { mockInitialState, type InitialState } from './control/testing/initial-state.ts';
export { MockController, type MockControllerOptions } from './control/testing/mock-controller.ts';
