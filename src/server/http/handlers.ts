import type * as contract from '#contract/index.ts';
import { accountHandlers } from '#server/account/handlers.ts';
import { authHandlers } from '#server/auth/handlers.ts';
import { billingHandlers } from '#server/billing/handlers.ts';
import { cardHandlers } from '#server/billing/cards/handlers.ts';
import { captchaHandlers } from '#server/auth/captcha/handlers.ts';
import { emailHandlers } from '#server/account/email/handlers.ts';
import { handoverHandlers } from '#server/billing/handover/handlers.ts';
import { myDataHandlers } from '#server/account/my-data/handlers.ts';
import { passkeyHandlers } from '#server/auth/passkeys/handlers.ts';
import { renewalHandlers } from '#server/renewal/handlers.ts';
import type { Bound } from '#server/runtime/request/request-context.ts';
import { pushHandlers } from '#server/account/push/handlers.ts';
import { settingsHandlers } from '#server/account/settings/handlers.ts';
import { signOnHandlers } from '#server/auth/sign-on/handlers.ts';
import { siteHandlers } from '#server/site/handlers.ts';

type Endpoints = typeof contract;

/** Every endpoint of the contract with its handler; a missing or mismatched handler does not compile. */
export const handlers = {
  ...accountHandlers,
  ...authHandlers,
  ...billingHandlers,
  ...captchaHandlers,
  ...cardHandlers,
  ...emailHandlers,
  ...myDataHandlers,
  ...passkeyHandlers,
  ...pushHandlers,
  ...handoverHandlers,
  ...renewalHandlers,
  ...settingsHandlers,
  ...signOnHandlers,
  ...siteHandlers,
} satisfies { [Name in keyof Endpoints]: Bound<Endpoints[Name]> };
