let underWay: Promise<unknown> | undefined;

/**
 * Does what puts another session in the place of this one: asks the server, which ends the old one before the browser
 * hears of the new, and sets the new one. One at a time: each is a tap on the page that waits for it.
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

/** Whether this session may be over on the server already, and the next one on its way. */
export const isSessionReplaced = (): boolean => underWay !== undefined;

/** Ends when the session is known again, whichever it is. What the replacement itself comes to is for its caller. */
export async function sessionSettled(): Promise<void> {
  await underWay?.catch(() => undefined);
}
