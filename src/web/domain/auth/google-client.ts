import { googleClient } from '#contract/sign-on.ts';
import { q } from '#web/platform/api/query.ts';

/** Whether the brand has Google login; login and sign-up load it with the page. */
export const googleClientQuery = q(googleClient, {}, { quiet: true });
