/** Separates two facts on one line; at a line break it stays with the first. */
export const dot = '\u00a0· ';
