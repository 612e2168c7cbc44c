import * as v from 'valibot';
import { analyticsEventSchema } from '#contract/analytics.ts';
import { stored } from './stored.ts';

/** Nothing in an event tells whose it is, so logout leaves the queue alone. */
export const analyticsQueueKey = stored('analytics', v.pipe(v.array(analyticsEventSchema), v.maxLength(50)), 'local', {
  personal: false,
});

/** A random id of this tab's visit. */
export const visitKey = stored('visit', v.pipe(v.string(), v.uuid()), 'session', { personal: false });

/** Which brand it is for whoever counts (`CountdownConfig.brandId`); an address is one brand's. */
export const countedBrandKey = stored('counted-brand', v.pipe(v.string(), v.maxLength(40)), 'session', {
  personal: false,
});
