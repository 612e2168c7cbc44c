import * as v from 'valibot';
import { stored } from './stored.ts';

/** The version of the brand's wording that this device has seen. */
export const wordingKey = stored('wording', v.pipe(v.string(), v.maxLength(40)), 'local', { personal: false });

/**
 * The customer wants to be reminded on this device. A subscription ends with its session; so when the same person has
 * logged in again it is made anew, without another question. `expiration` names the session of the last one.
 */
export const reminderKey = stored('reminder', v.object({ expiration: v.number() }), 'local');

/** What became of the offer to install the app. It belongs to the device: a no is heeded whoever signs in next. */
export const installAnswerKey = stored('install', v.picklist(['refused', 'installed']), 'local', { personal: false });
