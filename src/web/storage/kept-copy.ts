let openedAt = -Infinity;

/** The copies of an earlier visit are among the answers from now on. */
export function noteKeptCopies(): void {
  openedAt = Date.now();
}

/** Whether an answer that was read at `readAt` (epoch milliseconds by the phone's clock) may be a copy of an earlier visit. */
export function mayBeKeptCopy(readAt: number): boolean {
  return readAt < openedAt;
}
