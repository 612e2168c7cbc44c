/** Chromium's own event, which no standard has: the browser would let the customer install, and leaves the moment to us. */
export interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<void>;
  readonly userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

declare global {
  interface WindowEventMap {
    beforeinstallprompt: BeforeInstallPromptEvent;
  }
}

/** The browser's question as it came, and who wants to know when it comes ([Note: Install offer]). */
export const early: { prompt?: BeforeInstallPromptEvent | undefined; onPrompt?: () => void } = {};

/** Before anything else, because it comes once, and was seen to come before the page was alive. */
export function captureInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    // in the place of the browser's own bar, which would come up over the checkout
    event.preventDefault();
    early.prompt = event;
    early.onPrompt?.();
  });
}
