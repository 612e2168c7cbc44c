/** Between two facts in a line of them; where the line breaks, it stays with the first. */
export const dot = '\u00a0· ';
