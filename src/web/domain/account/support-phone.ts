import { supportPhone } from '#contract/auth.ts';
import { q } from '#web/platform/api/query.ts';

/** Whether the brand accepts phone numbers; login and sign-up load it with the page. */
export const supportPhoneQuery = q(supportPhone, {}, { quiet: true });
