const began = new Map<string, number>();

/** An order is being paid, perhaps once more: the shop has just said so. */
export function markAttemptStarted(orderId: string): void {
  began.set(orderId, Date.now());
}

/**
 * Whether what was read of an order at `readAt` (epoch milliseconds by the phone's clock) is of an attempt before the one
 * that is under way: a failure, or a code of another method, which must not be told as if it were this one's.
 */
export function isOfEarlierAttempt(orderId: string | undefined, readAt: number): boolean {
  return orderId !== undefined && readAt < (began.get(orderId) ?? 0);
}
