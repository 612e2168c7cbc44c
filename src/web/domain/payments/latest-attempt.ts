const began = new Map<string, number>();

/** Records that a payment attempt of this order has just started. */
export function markAttemptStarted(orderId: string): void {
  began.set(orderId, Date.now());
}

/**
 * Whether data read at `readAt` (epoch ms of the device) belongs to an earlier attempt: its failure, or the code of
 * another method, must not be shown for the current one.
 */
export function isOfEarlierAttempt(orderId: string | undefined, readAt: number): boolean {
  return orderId !== undefined && readAt < (began.get(orderId) ?? 0);
}
