import type * as contract from '../contract/index.ts';
import { accountHandlers } from './account/handlers.ts';
import { authHandlers } from './auth/handlers.ts';
import { billingHandlers } from './billing/handlers.ts';
import { cardHandlers } from './cards/handlers.ts';
import { captchaHandlers } from './captcha/handlers.ts';
import { emailHandlers } from './email/handlers.ts';
import type { Bound } from './mount.ts';
import { signOnHandlers } from './sign-on/handlers.ts';
import { siteHandlers } from './site/handlers.ts';

type Endpoints = typeof contract;

/** Every endpoint of the contract with its one handler; a missing or a wrong one does not compile. */
export const handlers = {
  ...accountHandlers,
  ...authHandlers,
  ...billingHandlers,
  ...captchaHandlers,
  ...cardHandlers,
  ...emailHandlers,
  ...signOnHandlers,
  ...siteHandlers,
} satisfies { [Name in keyof Endpoints]: Bound<Endpoints[Name]> };
