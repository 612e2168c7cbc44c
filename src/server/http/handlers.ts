import type * as contract from '../../contract/index.ts';
import { accountHandlers } from '../account/handlers.ts';
import { authHandlers } from '../auth/handlers.ts';
import { billingHandlers } from '../billing/handlers.ts';
import { cardHandlers } from '../cards/handlers.ts';
import { captchaHandlers } from '../captcha/handlers.ts';
import { emailHandlers } from '../email/handlers.ts';
import { handoverHandlers } from '../handover/handlers.ts';
import { myDataHandlers } from '../my-data/handlers.ts';
import { passkeyHandlers } from '../passkeys/handlers.ts';
import { renewalHandlers } from '../renewal/handlers.ts';
import type { Bound } from '../request/bind.ts';
import { pushHandlers } from '../push/handlers.ts';
import { settingsHandlers } from '../settings/handlers.ts';
import { signOnHandlers } from '../sign-on/handlers.ts';
import { siteHandlers } from '../site/handlers.ts';

type Endpoints = typeof contract;

/** Every endpoint of the contract with its one handler; a missing or a wrong one does not compile. */
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
