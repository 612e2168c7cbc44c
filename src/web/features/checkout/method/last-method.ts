import { methodCodeSchema } from '#contract/fields.ts';
import { stored } from '#web/platform/session/storage/stored.ts';

/**
 * The method last used on this device at this brand (each has its own origin). It is preselected the next time, so that
 * a returning customer only has to continue.
 */
export const lastMethodKey = stored('lastMethod', methodCodeSchema, 'local');
