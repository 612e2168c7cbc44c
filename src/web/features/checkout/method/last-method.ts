import { methodCodeSchema } from '#contract/fields.ts';
import { stored } from '#web/platform/session/storage/stored.ts';

/**
 * How the customer paid last on this phone, at this brand (each has its own origin). It is chosen at first the next
 * time, so that a returning customer only has to go on.
 */
export const lastMethodKey = stored('lastMethod', methodCodeSchema, 'local');
