import { supportPhoneQuery } from '#web/domain/account/support-phone.ts';

const forForm = [supportPhoneQuery] as const;

/**
 * The server renders Google's button, too, but the browser requests it after the form, whose script it would make
 * larger.
 */
export const loginQueries = import.meta.env.SSR
  ? [...forForm, (await import('#web/domain/auth/google-client.ts')).googleClientQuery]
  : forForm;
