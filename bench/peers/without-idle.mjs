// Its network manager waits for an idle moment before it sends. Here this time would be measured, although nothing is sent.
globalThis.requestIdleCallback = (run) => queueMicrotask(() => run());
