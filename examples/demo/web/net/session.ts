/** The id of this tab. The API simulates a network for each id. */
export const session: string = crypto.randomUUID();
