import * as v from 'valibot';
import { stored } from './stored.ts';

/** The version of the brand's messages that this device has loaded. */
export const wordingKey = stored('wording', v.pipe(v.string(), v.maxLength(40)), 'local', { personal: false });

/**
 * The customer wants push reminders on this device. A subscription ends with its session and is created again without a
 * prompt when the same customer logs in. `expiration` identifies the session of the last subscription.
 */
export const reminderKey = stored('reminder', v.object({ expiration: v.number() }), 'local');

/** The answer to the install offer. It belongs to the device: a refusal is valid for every later customer too. */
export const installAnswerKey = stored('install', v.picklist(['refused', 'installed']), 'local', { personal: false });
