import * as contract from '#contract/captcha.ts';
import type { Parsed } from '#contract/endpoint.ts';
import { identityOf } from '#server/site/account-rules.ts';
import { bind, type RequestContext } from '#server/runtime/request/request-context.ts';
import { countTryFrom } from '#server/runtime/limits/throttle.ts';
import { framePath } from './mount-captcha-frame.ts';
import { paymentCaptchaOwner, type CaptchaOwner } from './captcha-owner.ts';
import { storeCaptcha } from './ticket.ts';
import { proofOfWorkDifficulty, createProofOfWork } from './proof-of-work.ts';

/** Answers verified for one network: each costs a call to the provider and a row. */
const verifyLimit = { tries: 60, windowMs: 10 * 60 * 1000 };

type CaptchaRequest = Pick<Parsed<typeof contract.createRandCode>['body'], 'account' | 'type' | 'areaCode'>;

/**
 * A phone with a handed-over checkout receives only the masked account name, so its captcha uses the session's account.
 */
const ownerOf = (
  body: CaptchaRequest,
  { brand, user, ip, refuse }: RequestContext<'emailFormat' | 'phoneFormat'>,
): CaptchaOwner =>
  user?.checkout
    ? paymentCaptchaOwner(user, ip)
    : { brand: brand.code, account: identityOf(refuse, brand, body, true).account, ip };

/** The captcha endpoints. */
export const captchaHandlers = {
  createRandCode: bind(contract.createRandCode, async ({ body: { kind: _, ...asked } }, context) => {
    const owner = ownerOf(asked, context);
    const max = await proofOfWorkDifficulty(context.deps, owner);
    return { kind: 'work' as const, ...createProofOfWork(context.deps, owner, max) };
  }),
  siteKey: bind(contract.siteKey, (_, { deps: { scriptCaptcha, env } }) => ({
    key: scriptCaptcha ? Buffer.from(scriptCaptcha.siteKey).toString('base64') : '',
    frame: scriptCaptcha ? `${env.CAPTCHA_ORIGIN ?? ''}${framePath}` : '',
  })),
  siteVerify: bind(contract.siteVerify, async ({ body: { token, language: _, ...asked } }, context) => {
    const { deps, brand, ip } = context;
    if (!deps.scriptCaptcha) return context.refuse('configError', undefined, 404);
    const owner = ownerOf(asked, context);
    const { allowed, waitSeconds } = await countTryFrom(
      deps.db,
      `captcha ${brand.code}`,
      ip,
      verifyLimit,
      deps.clock(),
    );
    if (!allowed) return context.refuse('tooFrequent', { waitSeconds });
    if (!(await deps.scriptCaptcha.verify(token, ip, context.refuse))) return context.refuse('wrongCaptcha');
    const captcha = deps.random.token(18);
    const { captchaId } = await storeCaptcha(deps, owner, captcha);
    return { captchaId, captcha };
  }),
};
