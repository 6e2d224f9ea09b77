// Its network manager waits for an idle moment before it sends; here that would be timed, and nothing is sent.
globalThis.requestIdleCallback = (run) => queueMicrotask(() => run());
