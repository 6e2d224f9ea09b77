// Mistakes that somebody could make in what moves the store, as replacements in the sources. Each text must stand in its
// file exactly once: when the sources change, the planting fails loudly and this list is brought in line.
export const bugs = [
  {
    name: 'reads that are under way are shared across a mutation',
    file: 'control/controller/fence.ts',
    from: 'this.#shared.clear();\n  }\n\n  /** A read is answered',
    to: '}\n\n  /** A read is answered',
  },
  {
    name: 'mutations share a request',
    file: 'control/controller/network.ts',
    from: '(isMutation ? undefined : this.#fence.shared(action.key))',
    to: 'this.#fence.shared(action.key)',
  },
  {
    name: 'reads do not share a request',
    file: 'control/controller/fence.ts',
    from: 'return this.#shared.get(key);',
    to: 'return undefined;',
  },
  {
    name: 'the guess of a mutation that failed stays',
    file: 'control/controller/mutations.ts',
    from: '    pending.layer?.drop();\n    pending.creation.end(false);',
    to: '    pending.creation.end(false);',
  },
  {
    name: 'the answer to a mutation has the place at which it was asked for',
    file: 'control/controller/mutations.ts',
    from: 'if (!landing.isOvertaken) this.#replace(landing);',
    to: '',
  },
  {
    name: 'mutations of one record land in the order of their answers',
    file: 'control/controller/mutations.ts',
    from: 'pending.isOvertaken = true;',
    to: '',
  },
  {
    name: 'a reset leaves those waiting who asked before it',
    file: 'control/controller/network.ts',
    from: 'flight.reject(flight.end);',
    to: '',
  },
  {
    name: 'a reset lets requests under way land',
    file: 'control/controller/network.ts',
    from: '    this.#flights.clear();\n    this.#fence.clear();\n    this.#session = {};',
    to: '    this.#fence.clear();\n    this.#session = {};',
  },
  {
    name: 'answers from before a mutation count as fresh',
    file: 'control/controller/network.ts',
    from: 'if (!this.#isWriting()) this.#refresh(controller);',
    to: '',
  },
  {
    name: 'a request that failed is never over',
    file: 'control/controller/network.ts',
    from: 'this.#end(controller, flight, () => flight.reject(error));',
    to: ';',
  },
  {
    name: 'a late error takes the place of a newer answer',
    file: 'control/controller/apply.ts',
    from: 'if (issue > request.issue && !endpoint.sideEffect) return;',
    to: '',
  },
  {
    name: 'readers of a request are not told of its error',
    file: 'control/controller/apply.ts',
    from: 'failure: failureOf(responses, endpoint, error, length) });\n  responses.tell(key);',
    to: 'failure: failureOf(responses, endpoint, error, length) });',
  },
  {
    name: 'what expires is not told',
    file: 'control/view/responses.ts',
    from: 'return since > this.now() ? PAST : expiresAt;',
    to: 'return expiresAt;',
  },
  {
    name: 'a reset keeps what is known of requests',
    file: 'control/controller/apply.ts',
    from: 'store.reset();',
    to: '',
  },
  {
    name: 'a poll goes on after the last subscriber has gone',
    file: 'control/manager/polling-subscription.ts',
    from: 'if (this.#counts.size === 0) this.cleanup();\n    else this.#plan();',
    to: 'if (this.#counts.size > 0) this.#plan();',
  },
  {
    name: 'polls overlap',
    file: 'control/manager/polling-subscription.ts',
    from: 'if (this.#isAsking || frequency === Number.POSITIVE_INFINITY) return;',
    to: 'if (frequency === Number.POSITIVE_INFINITY) return;',
  },
  {
    name: 'a request that nobody answers has no end',
    file: 'define/endpoint/deadline.ts',
    from: 'inner.abort(timedOut(what, milliseconds))',
    to: 'undefined',
  },
  {
    name: 'a POST without a key is sent again',
    file: 'define/rest/transience.ts',
    from: "return IDEMPOTENT.has(method) || hasHeader(headers, 'idempotency-key');",
    to: 'return true;',
  },
];
