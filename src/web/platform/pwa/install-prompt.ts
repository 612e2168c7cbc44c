import { installAnswerKey } from '#web/platform/session/storage/device-keys.ts';
import { createListeners } from '#web/ui/store.ts';
import { early } from './early-prompt.ts';

/**
 * [Note: Install offer] The browser's question is kept until a moment that fits: after a purchase, and in the account. It
 * is asked once. A no, to us or to the browser, is for good; so is an installation, until the browser offers it again,
 * which it does only where the app is gone.
 */
const { subscribe, tell } = createListeners();

function forget(): void {
  early.prompt = undefined;
  tell();
}

function noteQuestion(): void {
  if (early.prompt && installAnswerKey.get() === 'installed') installAnswerKey.remove();
  tell();
}

/** Call once for each page, when it is at rest. */
export function followInstallPrompt(): void {
  early.onPrompt = noteQuestion;
  noteQuestion();
  window.addEventListener('appinstalled', () => {
    installAnswerKey.set('installed');
    forget();
  });
}

/** Whether the browser's question is there. */
export const installPrompt = { subscribe, get: (): boolean => early.prompt !== undefined };

/** Shows the browser's question, on a tap only. The answer is noted. */
export async function promptInstall(): Promise<void> {
  const { prompt } = early;
  if (!prompt) return;
  await prompt.prompt();
  const { outcome } = await prompt.userChoice;
  installAnswerKey.set(outcome === 'accepted' ? 'installed' : 'refused');
  forget();
}

/** The customer does not want it. */
export function dismissInstallOffer(): void {
  installAnswerKey.set('refused');
  forget();
}
