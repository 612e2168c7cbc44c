import { typedEmail } from '#contract/email-address.ts';
import type * as contract from '#contract/email.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import { addressOf } from '#server/site/account-rules.ts';
import { supportedLanguage } from '#server/auth/create-user.ts';
import { findLimitSubject } from '#server/auth/customer-key.ts';
import { proves, refuseUnproven, type Proof } from '#server/auth/captcha/ticket.ts';
import type { Database } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import { networksOf } from '#server/runtime/request/network.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';
import { clearTries, uncountTry, secondsUntil, countTry, countTryFrom } from '#server/runtime/limits/throttle.ts';
import { queueMessageRequest, type MessageRequest } from '#server/messages/message-requests.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Mails of one kind that an address can be sent without more ado, and how soon whoever asked can ask again. */
const oneAtATime = { tries: 1, windowMs: minuteMs };
const aDay = { tries: 5, windowMs: 24 * hourMs };
/** After so many requests from one network a captcha is asked for, and after more of them work. */
const freeFromNetwork = 30;
const fromNetwork = { tries: 100, windowMs: hourMs };

type Kind = Exclude<MessageRequest['kind'], 'code'>;
type Body = Parameters<Handler<typeof contract.resetPasswordByEmail>>[0]['body'];

export const resetPasswordByEmail: Handler<typeof contract.resetPasswordByEmail> = ({ body }, context) =>
  askForMail('reset', body, context);

export const resendConfirmation: Handler<typeof contract.resendConfirmation> = ({ body }, context) =>
  askForMail('confirm', body, context);

/**
 * The customer's own address and no other: `unknownAccount`. What strangers ask for is not counted here, and there is no
 * captcha.
 */
export const sendResetPasswordEmail: Handler<typeof contract.sendResetPasswordEmail> = async ({ query }, context) => {
  const { deps, brand, user, language } = context;
  const account = user.email ?? '';
  if (typedEmail(query.email) !== typedEmail(account)) return context.refuse('unknownAccount');
  const from = 'a session';
  const asked = { brand: brand.code, kind: 'reset', account, from, asker: from } as const;
  const taken = await takeMail(context.refuse, deps, asked, 'none');
  if (taken.due !== 'none') {
    await giveBackMail(deps.db, asked);
    return context.refuse('tooFrequent', { waitSeconds: taken.daySeconds });
  }
  const request = { brandCode: brand.code, kind: 'reset', account, accountType: 'email', asker: from } as const;
  await queueMessageRequest(deps.db, { ...request, language: supportedLanguage(brand, language) }, deps);
  return { waitSeconds: taken.waitSeconds };
};

/** What `askForMail` refuses with. */
type AskForMailErrors = 'emailFormat' | 'tooFrequent' | 'wrongCaptcha';

/**
 * The same statements for an address that nobody has ([Note: Message requests]). There is no number of requests after which the
 * owner of an address is refused: from the sixth of a day on, each takes work, and how many mails come of them is decided
 * later ([Note: Daily message limits]).
 */
async function askForMail(kind: Kind, body: Body, context: RequestContext<AskForMailErrors>) {
  const { deps, brand, ip } = context;
  const identity = addressOf(context.refuse, brand, body.email);
  const { account } = identity;
  const { known } = await findLimitSubject(deps, { brand: brand.code, identity, device: body.device });
  const suspicion = known === undefined ? await suspicionOf(context) : 'none';
  const from = known ?? networksOf(ip).near;
  const asked = { brand: brand.code, kind, account, from, asker: known ?? '' };
  const taken = await takeMail(context.refuse, deps, asked, suspicion);
  if (!(await proves(deps, { brand: brand.code, account, ip }, body, taken.due))) {
    await giveBackMail(deps.db, asked);
    refuseUnproven(context.refuse, taken.due);
  }
  const language = supportedLanguage(brand, body.language);
  const request = { brandCode: brand.code, kind, account, accountType: identity.type, asker: known } as const;
  await queueMessageRequest(deps.db, { ...request, language }, deps);
  return { waitSeconds: taken.waitSeconds };
}

async function suspicionOf({ deps, brand, ip }: RequestContext): Promise<Proof> {
  const network = await countTryFrom(deps.db, `mail from ${brand.code}`, ip, fromNetwork, deps.clock());
  if (!network.allowed) return 'work';
  return network.count > freeFromNetwork ? 'captcha' : 'none';
}

interface AskedMail {
  readonly brand: string;
  readonly kind: Kind;
  readonly account: string;
  /** network, or known device, whose pause it is */
  readonly from: string;
  /** whose quota of the day it is: a known device's own, or with nothing everybody's */
  readonly asker: string;
}

const keysOf = ({ brand, kind, account, from, asker }: AskedMail) => ({
  pause: `mail pause ${kind} ${brand} ${account} ${from}`,
  day: `mail day ${kind} ${brand} ${account}${asker === '' ? '' : ` by ${asker}`}`,
});

/**
 * Counts one mail to an address. Answers what is due for it, in how many seconds there may be another, and in how many
 * one without more ado. Refuses with `tooFrequent` who has asked a moment ago.
 */
async function takeMail(
  refuse: Refuse<'tooFrequent'>,
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  asked: AskedMail,
  suspicion: Proof,
) {
  const now = clock();
  const key = keysOf(asked);
  const pause = await countTry(db, key.pause, oneAtATime, now);
  if (!pause.allowed) refuse('tooFrequent', { waitSeconds: pause.waitSeconds });
  const day = await countTry(db, key.day, aDay, now);
  const due: Proof = day.allowed ? suspicion : 'work';
  return { due, waitSeconds: secondsUntil(pause.resetsAt, now), daySeconds: secondsUntil(day.resetsAt, now) };
}

/** Nothing was sent. */
async function giveBackMail(db: Database, asked: AskedMail): Promise<void> {
  const key = keysOf(asked);
  await clearTries(db, key.pause);
  await uncountTry(db, key.day);
}
