/** Waits `ms`, or less when the network or the customer comes back. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      window.removeEventListener('pageshow', end);
      document.removeEventListener('visibilitychange', shown);
      resolve();
    };
    const shown = () => document.visibilityState === 'visible' && end();
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    window.addEventListener('pageshow', end);
    document.addEventListener('visibilitychange', shown);
  });
}
