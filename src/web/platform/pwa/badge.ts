import { serverNow } from '#web/platform/session/server-clock.ts';
import { getSession, onSessionChange } from '#web/platform/session/session.ts';
import { onPaymentChange, paymentInProgress } from '#web/platform/session/storage/purchase.ts';

/** Not in every browser; TypeScript's DOM says it is. */
type Badging = Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>>;

/** Whether a payment that was begun on this device waits for the one who is signed in here ([Note: Payment resume]). */
function isWaiting(): boolean {
  if (!getSession()) return false;
  const payment = paymentInProgress.get();
  return payment !== undefined && (payment.expiresAt === null || payment.expiresAt > serverNow());
}

/** Puts the mark onto the icon of the installed app (W3C Badging API), or takes it away. */
export function showBadge(): void {
  const badging: Badging = navigator;
  const shown = isWaiting() ? badging.setAppBadge?.(1) : badging.clearAppBadge?.();
  shown?.catch((error: unknown) => {
    // an app that may not notify has no badge on some phones, and nobody misses it
    if (!(error instanceof DOMException)) throw error;
  });
}

/**
 * Keeps the badge right: by what this page does, by what other tabs do, and when somebody looks, because a payment's time
 * may have ended meanwhile. The answer stops it.
 */
export function followPayments(): () => void {
  const byOtherTab = ({ key }: StorageEvent) => {
    if (key === null || key === paymentInProgress.key) showBadge();
  };
  const stops = [onPaymentChange(showBadge), onSessionChange(showBadge)];
  window.addEventListener('storage', byOtherTab);
  document.addEventListener('visibilitychange', showBadge);
  showBadge();
  return () => {
    for (const stop of stops) stop();
    window.removeEventListener('storage', byOtherTab);
    document.removeEventListener('visibilitychange', showBadge);
  };
}
