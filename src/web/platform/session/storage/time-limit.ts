/**
 * How long the storefront waits for a store of the browser, in milliseconds. A working store takes a few; in a private
 * window of Safari, or on a failing disk, IndexedDB and the Cache API may never answer.
 */
export const storageLimitMs = 400;

/**
 * The result of `act` within the limit; undefined where it is late, throws or rejects. A late act continues in the
 * background.
 */
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
    // the storefront works without the store, and nothing can be repaired
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
