import { serverNow } from '#web/platform/session/server-clock.ts';
import { getSession, onSessionChange } from '#web/platform/session/session.ts';
import { onPaymentChange, paymentInProgress } from '#web/platform/session/storage/purchase.ts';

/** Missing in some browsers, although TypeScript's DOM types declare it. */
type Badging = Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>>;

/** Whether a payment that was started on this device is pending for the current customer. */
function isWaiting(): boolean {
  if (!getSession()) return false;
  const payment = paymentInProgress.get();
  return payment !== undefined && (payment.expiresAt === null || payment.expiresAt > serverNow());
}

/** Sets or clears the badge of the installed app's icon (W3C Badging API). */
function showBadge(): void {
  const badging: Badging = navigator;
  const shown = isWaiting() ? badging.setAppBadge?.(1) : badging.clearAppBadge?.();
  shown?.catch((error: unknown) => {
    // some phones refuse a badge to an app without notification permission
    if (!(error instanceof DOMException)) throw error;
  });
}

/**
 * Updates the badge after changes in this tab and other tabs, and when the page becomes visible, because a payment may
 * have expired meanwhile. Returns the function that stops it.
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
