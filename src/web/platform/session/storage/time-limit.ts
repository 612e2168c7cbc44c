/**
 * How long anything waits for a store of the browser, in milliseconds. One that answers takes a few; in a private window of
 * Safari, or on a failing disk, IndexedDB and the Cache API may never answer.
 */
export const storageLimitMs = 400;

/** What `act` comes to within the limit; undefined where it is late, throws or rejects. It goes on in the background. */
export async function withinLimit<T>(
  act: () => Promise<T> | T,
  limitMs: number = storageLimitMs,
): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([act(), late]);
  } catch {
    // the storefront works without what a store cannot give, and there is nothing to mend
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
