import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { users } from '#server/db/schema/users.ts';
import { linkOf, mailboxOf } from './a-mailbox.ts';
import type { TestApp } from './test-app.ts';

/** The calls of a visitor about the links in emails, and what they change. `shop` is opened before the first call. */
export function emailCalls(shop: () => TestApp) {
  const requestReset = (email: string, more: { host?: string; headers?: Record<string, string> } = {}) =>
    shop().request(endpoints.resetPasswordByEmail, { body: { email, language: 'pt' } }, more);
  const requestConfirmation = (email: string) =>
    shop().request(endpoints.resendConfirmation, { body: { email, language: 'en' } });
  const readLink = (token: string, host?: string) =>
    shop().request(endpoints.obtainResetPasswordEmail, { body: { token } }, { host });
  const reset = (token: string, password = 'another-123', host?: string) =>
    shop().request(endpoints.emailResetPassword, { body: { token, password } }, { host });
  const confirm = (token: string) => shop().request(endpoints.activeUser, { body: { token } });
  const logIn = (account: string, password: string) =>
    shop().request(endpoints.login, { body: { account, password, type: 'email' } });
  const rowOf = async (uid: string) => (await shop().db.select().from(users).where(eq(users.uid, uid)))[0];

  /** The newest link emailed to the address; `path` selects one of two that were sent at the same time. */
  async function newestLink(to: string, path = '') {
    const mail = (await mailboxOf(shop(), to)).find(({ text }) => text.includes(`${path}?token=`));
    if (!mail) throw new Error(`no mail to ${to}`);
    return linkOf(mail);
  }

  async function resetTokenFor(account: string) {
    expect((await requestReset(account)).code).toBe(0);
    return (await newestLink(account)).token;
  }

  async function resetLink(account: string) {
    await requestReset(account);
    return newestLink(account);
  }

  return {
    requestReset,
    requestConfirmation,
    readLink,
    reset,
    confirm,
    logIn,
    rowOf,
    newestLink,
    resetTokenFor,
    resetLink,
  };
}
