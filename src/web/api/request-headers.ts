import { clientType } from '../../contract/scene.ts';
import { fingerprint } from '../analytics/fingerprint.ts';
import { currentScene } from '../entry/scene.ts';
import { activeLanguage } from '../i18n/active.ts';

/** The five headers of every call (spec 7), and the key of a purchase intent where there is one. */
export function requestHeaders(token: string | null, idempotencyKey?: string): Record<string, string> {
  return {
    Accept: 'application/json',
    Authorization: token ?? 'null',
    Language: activeLanguage(),
    'Client-Type': currentClientType(),
    Scene: currentScene().scene,
    fingerprint: fingerprint(),
    ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}),
  };
}

/** Asked anew each time, because windows are resized. */
export function currentClientType() {
  return typeof window === 'undefined' ? 'WEB' : clientType(navigator.userAgent, window.innerWidth);
}
