/** Chromium's event, which is in no standard: the browser can install the app and leaves the timing to the page. */
interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<void>;
  readonly userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

declare global {
  interface WindowEventMap {
    beforeinstallprompt: BeforeInstallPromptEvent;
  }
}

/** The browser's install prompt, and the callback for when it arrives. */
export const earlyInstallPrompt: { prompt?: BeforeInstallPromptEvent | undefined; onPrompt?: () => void } = {};

/** Call before anything else: the event fires once, and can fire before hydration. */
export function captureInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    // the browser's own install bar would cover the checkout
    event.preventDefault();
    earlyInstallPrompt.prompt = event;
    earlyInstallPrompt.onPrompt?.();
  });
}
