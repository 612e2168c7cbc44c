import { supportPhone } from '#contract/auth.ts';
import { q } from '#web/platform/api/query.ts';

/** Whether the brand takes phone numbers; one of the queries that login and sign-up come with. */
export const supportPhoneQuery = q(supportPhone, {}, { quiet: true });
