/** The calls about mail links. */
export const emailHandlers = {};
