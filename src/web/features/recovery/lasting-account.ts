import { accountDraft } from '../../account-form/account-draft.ts';

/** The account as typed, which outlives these forms: what follows a new password is the login. */
export const lastingAccount = { ...accountDraft, remove: () => undefined };
