import { normalizeEmail } from '#contract/email-address.ts';
import type * as contract from '#contract/email.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import { addressOf } from '#server/site/account-rules.ts';
import { supportedLanguage } from '#server/auth/signup.ts';
import { findLimitSubject } from '#server/auth/login-limits.ts';
import { verifyCaptchaTicket, refuseWrongCaptcha, type CaptchaRequirement } from '#server/auth/captcha/ticket.ts';
import type { Database } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { networksOf } from '#server/runtime/request/network.ts';
import type { RequestContext, Handler } from '#server/runtime/request/request-context.ts';
import { clearTries, uncountTry, secondsUntil, countTry, countTryFrom } from '#server/runtime/limits/throttle.ts';
import { queueMessageRequest, type MessageRequest } from '#server/messages/message-requests.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Emails of one kind for an address before proof of work is required, and the pause between requests. */
const oneAMinute = { tries: 1, windowMs: minuteMs };
const aDay = { tries: 5, windowMs: 24 * hourMs };
/** Requests from one network before a captcha is required, and before proof of work is. */
const freeFromNetwork = 30;
const fromNetwork = { tries: 100, windowMs: hourMs };

type Kind = Exclude<MessageRequest['kind'], 'code'>;
type Body = Parameters<Handler<typeof contract.resetPasswordByEmail>>[0]['body'];

export const resetPasswordByEmail: Handler<typeof contract.resetPasswordByEmail> = ({ body }, context) =>
  requestMail('reset', body, context);

export const resendConfirmation: Handler<typeof contract.resendConfirmation> = ({ body }, context) =>
  requestMail('confirm', body, context);

/**
 * Emails only the customer's own address: `unknownAccount` for any other. Requests without a session are not counted
 * here, and no captcha is required.
 */
export const sendResetPasswordEmail: Handler<typeof contract.sendResetPasswordEmail> = async ({ query }, context) => {
  const { deps, brand, user, language } = context;
  const account = user.email ?? '';
  if (normalizeEmail(query.email) !== normalizeEmail(account)) return context.refuse('unknownAccount');
  const from = 'a session';
  const asked = { brand: brand.code, kind: 'reset', account, from, asker: from } as const;
  const taken = await countMail(context.refuse, deps, asked, 'none');
  if (taken.due !== 'none') {
    await uncountMail(deps.db, asked);
    return context.refuse('tooFrequent', { waitSeconds: taken.daySeconds });
  }
  const request = { brandCode: brand.code, kind: 'reset', account, accountType: 'email', asker: from } as const;
  await queueMessageRequest(deps.db, { ...request, language: supportedLanguage(brand, language) }, deps);
  return { waitSeconds: taken.waitSeconds };
};

/** The errors of `requestMail`. */
type RequestMailErrors = 'emailFormat' | 'tooFrequent' | 'wrongCaptcha';

/**
 * Runs the same statements whether the address has an account or not ([Note: Message requests]). No number of requests
 * blocks the owner of an address: from the sixth of a day on, each costs proof of work, and `decideLinkMessage` decides later
 * which are sent.
 */
async function requestMail(kind: Kind, body: Body, context: RequestContext<RequestMailErrors>) {
  const { deps, brand, ip } = context;
  const identity = addressOf(context.refuse, brand, body.email);
  const { account } = identity;
  const { known } = await findLimitSubject(deps, { brand: brand.code, identity, device: body.device });
  const suspicion = known === undefined ? await suspicionOf(context) : 'none';
  const from = known ?? networksOf(ip).near;
  const asked = { brand: brand.code, kind, account, from, asker: known ?? '' };
  const taken = await countMail(context.refuse, deps, asked, suspicion);
  if (!(await verifyCaptchaTicket(deps, { brand: brand.code, account, ip }, body, taken.due))) {
    await uncountMail(deps.db, asked);
    refuseWrongCaptcha(context.refuse, taken.due);
  }
  const language = supportedLanguage(brand, body.language);
  const request = { brandCode: brand.code, kind, account, accountType: identity.type, asker: known } as const;
  await queueMessageRequest(deps.db, { ...request, language }, deps);
  return { waitSeconds: taken.waitSeconds };
}

async function suspicionOf({ deps, brand, ip }: RequestContext): Promise<CaptchaRequirement> {
  const network = await countTryFrom(deps.db, `mail from ${brand.code}`, ip, fromNetwork, deps.clock());
  if (!network.allowed) return 'work';
  return network.count > freeFromNetwork ? 'captcha' : 'none';
}

interface RequestedMail {
  readonly brand: string;
  readonly kind: Kind;
  readonly account: string;
  /** the network, or the known device, that the pause applies to */
  readonly from: string;
  /** the daily quota that applies: a known device's own, or with '' that of all others */
  readonly asker: string;
}

const keysOf = ({ brand, kind, account, from, asker }: RequestedMail) => ({
  pause: `mail pause ${kind} ${brand} ${account} ${from}`,
  day: `mail day ${kind} ${brand} ${account}${asker === '' ? '' : ` by ${asker}`}`,
});

/**
 * Counts one email to an address. Returns what is required for it, and the seconds until the next is possible and until
 * one needs no proof of work. `tooFrequent`: the previous request is less than a minute ago.
 */
async function countMail(
  refuse: Refuse<'tooFrequent'>,
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  asked: RequestedMail,
  suspicion: CaptchaRequirement,
) {
  const now = clock();
  const key = keysOf(asked);
  const pause = await countTry(db, key.pause, oneAMinute, now);
  if (!pause.allowed) refuse('tooFrequent', { waitSeconds: pause.waitSeconds });
  const day = await countTry(db, key.day, aDay, now);
  const due: CaptchaRequirement = day.allowed ? suspicion : 'work';
  return { due, waitSeconds: secondsUntil(pause.resetsAt, now), daySeconds: secondsUntil(day.resetsAt, now) };
}

/** Removes a request without an email from the counts. */
async function uncountMail(db: Database, asked: RequestedMail): Promise<void> {
  const key = keysOf(asked);
  await clearTries(db, key.pause);
  await uncountTry(db, key.day);
}
