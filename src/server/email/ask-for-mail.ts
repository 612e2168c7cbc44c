import type * as contract from '../../contract/email.ts';
import { refuse } from '../api-error.ts';
import { identityOf } from '../auth/account-rules.ts';
import { spoken } from '../auth/create-user.ts';
import { passCaptcha } from '../captcha/ticket.ts';
import type { Database } from '../db/connect.ts';
import type { Handler } from '../mount.ts';
import type { RequestContext } from '../request-context.ts';
import { forgetTries, secondsUntil, takeTry } from '../throttle.ts';
import { queueLetter, type Letter } from './letters.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How much mail of one kind an address gets, whoever asks for it. */
const oneAtATime = { tries: 1, windowMs: minuteMs };
const aDay = { tries: 5, windowMs: 24 * hourMs };
/** Requests from one network address; each one more takes a captcha. Many people share one behind a carrier. */
const fromAddress = { tries: 30, windowMs: hourMs };

type Kind = Exclude<Letter['kind'], 'code'>;
type Body = Parameters<Handler<typeof contract.resetPasswordByEmail>>[0]['body'];

export const resetPasswordByEmail: Handler<typeof contract.resetPasswordByEmail> = ({ body }, context) =>
  askForMail('reset', body, context);

export const resendConfirmation: Handler<typeof contract.resendConfirmation> = ({ body }, context) =>
  askForMail('confirm', body, context);

/** The customer's own address and no other: 10024. */
export const sendResetPasswordEmail: Handler<typeof contract.sendResetPasswordEmail> = async ({ query }, context) => {
  const { deps, brand, user, language } = context;
  const account = query.email.toLowerCase();
  if (account !== user.email) refuse(10024);
  const waitSeconds = await takeMail(deps.db, { brand: brand.code, kind: 'reset', account }, deps.clock());
  const letter = { brandCode: brand.code, kind: 'reset', account, accountType: 'email' } as const;
  await queueLetter(deps.db, { ...letter, language: spoken(brand, language) }, deps);
  return { waitSeconds };
};

/** The same statements for an address that nobody has ([Note: Letters]). */
async function askForMail(kind: Kind, body: Body, { deps, brand, ip }: RequestContext) {
  const { account, type } = identityOf(brand, { account: body.email, type: 'email' });
  const now = deps.clock();
  const asked = await takeTry(deps.db, `mail from ${brand.code} ${ip}`, fromAddress, now);
  if (!asked.allowed && !(await passCaptcha(deps, brand.code, body))) refuse(-3035);
  const waitSeconds = await takeMail(deps.db, { brand: brand.code, kind, account }, now);
  const language = spoken(brand, body.language);
  await queueLetter(deps.db, { brandCode: brand.code, kind, account, accountType: type, language }, deps);
  return { waitSeconds };
}

/** Counts one mail to an address, and answers in how many seconds there may be another. Refuses with -3031. */
async function takeMail(
  db: Database,
  { brand, kind, account }: { brand: string; kind: Kind; account: string },
  now: number,
): Promise<number> {
  const pauseKey = `mail pause ${kind} ${brand} ${account}`;
  const pause = await takeTry(db, pauseKey, oneAtATime, now);
  if (!pause.allowed) refuse(-3031, { waitSeconds: pause.waitSeconds });
  const day = await takeTry(db, `mail day ${kind} ${brand} ${account}`, aDay, now);
  if (day.allowed) return secondsUntil(day.count < aDay.tries ? pause.resetsAt : day.resetsAt, now);
  // nothing was sent, so the next refusal has to name the day's wait and not this minute's
  await forgetTries(db, pauseKey);
  return refuse(-3031, { waitSeconds: day.waitSeconds });
}
