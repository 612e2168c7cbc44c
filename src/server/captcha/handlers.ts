import { createHash } from 'node:crypto';
import * as contract from '../../contract/captcha.ts';
import { refuse } from '../api-error.ts';
import { bind } from '../mount.ts';
import type { RequestContext } from '../request-context.ts';
import { takeTry } from '../throttle.ts';
import { framePath } from './frame-document.ts';
import { drawPicture, pictureText } from './picture.ts';
import { keepCaptcha } from './ticket.ts';

const windowMs = 10 * 60 * 1000;
const askLimit = { tries: 60, windowMs };
/** from the eleventh on, an address has a bigger puzzle to solve, which a person hardly meets and a machine pays for */
const easyWorkLimit = { tries: 10, windowMs };

/** Digits of the number that a device looks for: at most some 2 s of a cheap phone, and 20 s when it is asked often. */
const workDigits = { easy: 5, hard: 6 };

async function createPicture({ deps, brand }: RequestContext) {
  const text = pictureText(deps.random);
  const image = Buffer.from(drawPicture(text, deps.random)).toString('base64');
  return { kind: 'picture' as const, image, ...(await keepCaptcha(deps, brand.code, text)) };
}

async function createWork({ deps, brand, ip }: RequestContext) {
  const { allowed } = await takeTry(deps.db, `captcha work ${brand.code} ${ip}`, easyWorkLimit, deps.clock());
  const digits = allowed ? workDigits.easy : workDigits.hard;
  const number = String(Number(deps.random.text('0123456789', digits)));
  const salt = deps.random.token(18);
  const challenge = createHash('sha256').update(`${salt}${number}`).digest('hex');
  return {
    kind: 'work' as const,
    salt,
    challenge,
    max: 10 ** digits - 1,
    ...(await keepCaptcha(deps, brand.code, number)),
  };
}

/** Each captcha costs us a row and some drawing, and each answer of a provider a call to it. */
async function countAsking({ deps, brand, ip }: RequestContext): Promise<void> {
  const { allowed, waitSeconds } = await takeTry(deps.db, `captcha ${brand.code} ${ip}`, askLimit, deps.clock());
  if (!allowed) refuse(-3031, { waitSeconds });
}

/** The captcha calls. */
export const captchaHandlers = {
  createRandCode: bind(contract.createRandCode, async ({ body }, context) => {
    await countAsking(context);
    return body.kind === 'picture' ? createPicture(context) : createWork(context);
  }),
  siteKey: bind(contract.siteKey, (_, { deps: { scriptCaptcha, env } }) => ({
    key: scriptCaptcha ? Buffer.from(scriptCaptcha.siteKey).toString('base64') : '',
    frame: scriptCaptcha ? `${env.CAPTCHA_ORIGIN ?? ''}${framePath}` : '',
  })),
  siteVerify: bind(contract.siteVerify, async ({ body }, context) => {
    const { deps, brand, ip } = context;
    if (!deps.scriptCaptcha) return refuse(-3036, undefined, 404);
    await countAsking(context);
    if (!(await deps.scriptCaptcha.verify(body.token, ip))) return refuse(-3035);
    const captcha = deps.random.token(18);
    const { captchaId } = await keepCaptcha(deps, brand.code, captcha);
    return { captchaId, captcha };
  }),
};
