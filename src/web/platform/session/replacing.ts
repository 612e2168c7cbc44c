let underWay: Promise<unknown> | undefined;

/**
 * Runs a request that replaces this session: the server ends the old one before the browser receives and sets the new
 * one. One at a time: each is a tap on a page that waits for it.
 */
export async function replacingSession<T>(replace: () => Promise<T>): Promise<T> {
  const replacement = replace();
  underWay = replacement;
  try {
    return await replacement;
  } finally {
    underWay = undefined;
  }
}

/** Whether the server may have ended this session already while the next one has not arrived. */
export const isSessionReplaced = (): boolean => underWay !== undefined;

/**
 * Resolves when the session is settled, whether it was replaced or not. The error of the replacement is for its caller.
 */
export async function sessionSettled(): Promise<void> {
  await underWay?.catch(() => undefined);
}
