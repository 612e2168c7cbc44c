let openedAt = -Infinity;

/** Call when copies of an earlier visit are restored. */
export function markSavedCopies(): void {
  openedAt = Date.now();
}

/** Whether an answer of `readAt` (epoch milliseconds of this device) may be a copy of an earlier visit. */
export function mayBeSavedCopy(readAt: number): boolean {
  return readAt < openedAt;
}
