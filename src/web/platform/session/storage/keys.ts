import * as v from 'valibot';
import { userInfoSchema } from '#contract/user.ts';
import { languageSchema } from '#contract/fields.ts';
import { sceneSchema } from '#contract/scene.ts';
import { stored } from './stored.ts';

/**
 * The keys of the synchronous stores, each once. Those of signing in, of a
 * purchase and of counting are in `sign-in-keys.ts`, `identity-keys.ts`, `purchase-keys.ts` and `analytics-key.ts`, so
 * that a first visit does not carry them.
 */

export const sessionKey = stored('userInfo', userInfoSchema, 'local');

/** The customer of the personal keys; these survive an expired session, but not another customer's login. */
export const ownerKey = stored('owner', v.pipe(v.string(), v.maxLength(40)), 'local');

export const languageKey = stored('language', languageSchema, 'local', { personal: false });

/** The currency in which prices are shown on this device, where the shop offers it. */
export const currencyKey = stored('currency', v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)), 'local', { personal: false });

const entranceSchema = v.object({
  scene: sceneSchema,
  entranceWay: v.picklist(['memberSite', 'mobileGoToWebsite', 'boxScanQR']),
});

export const sceneKey = stored('scene', entranceSchema, 'session', { personal: false });

/** The last entrance of a TV, for tabs that it opens later. */
export const tvSceneKey = stored('scene', entranceSchema, 'local', { personal: false });

const clockOffsetSchema = v.object({
  /** how many milliseconds this device was behind the server; negative where it was ahead */
  offset: v.pipe(v.number(), v.integer()),
  /** when that was measured, by the server's clock, in epoch milliseconds */
  at: v.number(),
});
export type ClockOffset = v.InferOutput<typeof clockOffsetSchema>;

/** Stored only on a device whose clock is wrong. */
export const clockOffsetKey = stored('clock', clockOffsetSchema, 'local', { personal: false });

export const fingerprintKey = stored('fingerprint', v.pipe(v.string(), v.regex(/^[\w-]{8,64}$/)), 'local', {
  personal: false,
});
