/** Names this tab to the API, which plays a network of its own for it. */
export const session: string = crypto.randomUUID();
