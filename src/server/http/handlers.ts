import type * as contract from '#contract/index.ts';
import { accountHandlers, emailHandlers, myDataHandlers, pushHandlers } from '#server/account/handlers.ts';
import { authHandlers, passkeyHandlers, signOnHandlers } from '#server/auth/handlers.ts';
import { billingHandlers, handoverHandlers, cardHandlers } from '#server/billing/handlers.ts';
import { captchaHandlers } from '#server/auth/captcha/handlers.ts';
import { renewalHandlers } from '#server/renewal/handlers.ts';
import type { Bound } from '#server/runtime/request/request-context.ts';
import { settingsHandlers } from '#server/account/settings/handlers.ts';
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
