import { googleClient } from '#contract/sign-on.ts';
import { q } from '#web/platform/api/query.ts';

/** Whether the brand has Google; one of the queries that login and sign-up come with. */
export const googleClientQuery = q(googleClient, {}, { quiet: true });
