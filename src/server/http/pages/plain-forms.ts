import type { I18n } from '@lingui/core';
import { resendConfirmation, resetPasswordByEmail } from '#contract/email.ts';
import type { PathPattern } from '#contract/paths.ts';
import { ApiRefusal } from '#server/runtime/request/api-error.ts';
import type { Deps } from '#server/deps.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';
import { callAsVisitor } from '../call-as-visitor.ts';

/**
 * [Note: Plain forms] Forms that work without scripts: those that need no session. Their field is `account`, and they
 * have `data-plain` in the storefront.
 */
const endpoints: Partial<Record<PathPattern, typeof resetPasswordByEmail | typeof resendConfirmation>> = {
  '/forgot-password': resetPasswordByEmail,
  '/lost-password': resetPasswordByEmail,
  '/resend-confirm': resendConfirmation,
};

interface PlainForm {
  readonly pattern: PathPattern;
  /** as the browser sends it: `application/x-www-form-urlencoded` */
  readonly body: string;
  readonly i18n: I18n;
  readonly visitor: Pick<RequestContext, 'brand' | 'origin' | 'language' | 'ip'>;
}

/** Processes a form that a browser sent without scripts. Returns the message for the page. */
export async function processPlainForm(deps: Deps, { pattern, body, i18n, visitor }: PlainForm): Promise<string> {
  const endpoint = endpoints[pattern];
  if (!endpoint)
    return i18n._({
      id: 'page.form.script',
      message: 'This form needs JavaScript, and nothing was sent. Open this page in another browser.',
    });
  const email = new URLSearchParams(body).get('account')?.trim() ?? '';
  try {
    await callAsVisitor(deps, endpoint, { body: { email, language: visitor.language } }, visitor);
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    if (error.error === 'tooFrequent')
      return i18n._({ id: 'page.form.wait', message: 'Too many requests. Wait a minute, then try again.' });
    return i18n._({
      id: 'page.form.refused',
      message: 'The email was not sent. Check the address and try again, or open this page in another browser.',
    });
  }
  return i18n._({ id: 'page.form.sent', message: 'If there is an account for this address, an email is on its way.' });
}
