import { installAnswerKey } from '#web/platform/session/storage/device-keys.ts';
import { createListeners } from '#web/ui/store.ts';
import { earlyInstallPrompt } from './early-prompt.ts';

/**
 * The browser's prompt is stored until a suitable time: after a purchase, and in the account. It is shown once. A
 * refusal, of the offer or of the prompt, is permanent. So is an installation, until the browser sends a prompt again,
 * which it does only after the app was removed.
 */
const { subscribe, tell } = createListeners();

function clearPrompt(): void {
  earlyInstallPrompt.prompt = undefined;
  tell();
}

function onPromptArrived(): void {
  if (earlyInstallPrompt.prompt && installAnswerKey.get() === 'installed') installAnswerKey.remove();
  tell();
}

/** Call once for each page, when it is idle. */
export function followInstallPrompt(): void {
  earlyInstallPrompt.onPrompt = onPromptArrived;
  onPromptArrived();
  window.addEventListener('appinstalled', () => {
    installAnswerKey.set('installed');
    clearPrompt();
  });
}

/** Whether the browser's prompt is available. */
export const installPrompt = { subscribe, get: (): boolean => earlyInstallPrompt.prompt !== undefined };

/** Shows the browser's prompt, on a tap only, and records the answer. */
export async function promptInstall(): Promise<void> {
  const { prompt } = earlyInstallPrompt;
  if (!prompt) return;
  await prompt.prompt();
  const { outcome } = await prompt.userChoice;
  installAnswerKey.set(outcome === 'accepted' ? 'installed' : 'refused');
  clearPrompt();
}

/** Records that the customer refused the offer. */
export function dismissInstallOffer(): void {
  installAnswerKey.set('refused');
  clearPrompt();
}
