import * as v from 'valibot';
import { analyticsEventSchema } from '#contract/analytics.ts';
import { stored } from './stored.ts';

/** Events contain no personal data, so logout does not remove the queue. */
export const analyticsQueueKey = stored('analytics', v.pipe(v.array(analyticsEventSchema), v.maxLength(50)), 'local', {
  personal: false,
});

/** A random id of this tab's visit. */
export const visitKey = stored('visit', v.pipe(v.string(), v.uuid()), 'session', { personal: false });

/** The brand's id in analytics (`CountdownConfig.brandId`); an origin has one brand. */
export const countedBrandKey = stored('counted-brand', v.pipe(v.string(), v.maxLength(40)), 'session', {
  personal: false,
});
