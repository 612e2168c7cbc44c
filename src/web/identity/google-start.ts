import { activeLanguage } from '../i18n/active.ts';
import { keepLanguage } from '../i18n/remember-language.ts';
import { googleStartKey, type GoogleStart } from '../storage/identity-keys.ts';
import { authorizationUrl, newStart } from './google-state.ts';

interface Client {
  readonly clientId: string;
  readonly authorizationEndpoint: string;
}

/** Leaves for the provider. What its answer will be held against stays in this tab only. */
export function startGoogle(client: Client, returnTo: string | undefined): void {
  const start = newStart(returnTo);
  const url = authorizationUrl(client, start, { origin: location.origin, language: activeLanguage() });
  googleStartKey.set(start);
  keepLanguage();
  location.assign(url);
}

/** What was started, once: whatever comes of it, it is not answered a second time. Undefined for another's answer. */
export function takeGoogleStart(state: string): GoogleStart | undefined {
  const start = googleStartKey.get();
  googleStartKey.remove();
  return start?.state === state ? start : undefined;
}
