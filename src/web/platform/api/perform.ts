import { activeI18n } from '#web/platform/i18n/active.ts';
import { messageOfError } from './error-message.ts';
import type { ApiError } from './api-error.ts';
import type { Action } from './decide.ts';

/** Effects that the app installs: the router, the toasts and the session. */
export interface ErrorEffects {
  toast(message: { readonly tone: 'danger' | 'warning'; readonly text: string }): void;
  /** `detour`: the page also receives the current location, as `return` */
  navigate(to: string, search: Readonly<Record<string, string>>, detour: boolean): void;
  /** the server has ended the session; see `expireSession` */
  endSession(): void | Promise<void>;
}

let effects: ErrorEffects | undefined;

/** Registers the effects, once, when the app starts. Before that, and on the server, errors are only thrown. */
export function installErrorEffects(installed: ErrorEffects): void {
  effects = installed;
}

/** The one place that acts on errors ([Note: Error decision]). Resolves after the session has ended. */
export async function perform(action: Action, error: ApiError): Promise<void> {
  if (!effects) return;
  for (const step of action) {
    if (step.type === 'toast') effects.toast({ tone: step.tone, text: messageOfError(activeI18n(), error) });
    else if (step.type === 'endSession') await effects.endSession();
    else effects.navigate(step.to, step.search, step.detour === true);
  }
}
