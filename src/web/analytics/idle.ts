/** Runs an act when the browser is idle; Safari has no idle callback, so there it is a while later. */
export function whenPageIdle(act: () => void, timeoutMs = 8000): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(() => act(), { timeout: timeoutMs });
  else setTimeout(act, 2500);
}
