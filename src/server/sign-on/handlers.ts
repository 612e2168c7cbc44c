/** The calls of other ways in. */
export const signOnHandlers = {};
