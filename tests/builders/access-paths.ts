import type { Endpoint } from '#contract/endpoint.ts';
import * as endpoints from '#contract/index.ts';
import { makeMailLink } from '#server/auth/mail-links.ts';
import { startBinding } from '#server/account/email/bind-email.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { codeForContact, emailOf, proofOf } from './a-contact-change.ts';
import { aTvDevice } from './a-tv-device.ts';
import { logInByPasskey, putPasskey } from './a-passkey.ts';
import { linkOf, mailboxOf } from './a-mailbox.ts';
import { anSsoToken } from './an-sso-token.ts';
import type { TestApp } from './test-app.ts';

/** A customer whose account an attacker has access to. */
export interface CompromisedAccount {
  readonly uid: string;
  readonly account: string;
  readonly password: string;
  /** a stolen session */
  readonly token: string;
}

/** Prepares something that becomes a session later: the returned function gets that session's token, or undefined. */
type Way = (shop: TestApp, victim: CompromisedAccount) => Promise<() => Promise<string | undefined>>;

const stolen = 'the password of a thief';
const minuteMs = 60_000;

async function logIn(shop: TestApp, account: string, password: string): Promise<string | undefined> {
  const answer = await shop.request(endpoints.login, { body: { account, password, type: 'email' } });
  return answer.code === 0 ? answer.data.token : undefined;
}

async function codeFor(shop: TestApp, account: string, scene: 'login' | 'reset'): Promise<string> {
  shop.clock.advance(minuteMs);
  const body = { account, type: 'email', scene, language: 'en' } as const;
  await shop.request(endpoints.sendVerificationCode, { body });
  return shop.lastCode(account);
}

export function lumenOf({ deps }: TestApp): Brand {
  const brand = deps.catalog.byCode('lumen');
  if (!brand) throw new Error('no brand lumen');
  return brand;
}

/** The token of a link that resets the password, as it is sent by mail. */
export async function resetLink(
  shop: TestApp,
  { uid, account }: Pick<CompromisedAccount, 'uid' | 'account'>,
): Promise<string> {
  const link = { brand: lumenOf(shop), uid, purpose: 'reset', email: account, language: 'en' } as const;
  return new URL(await makeMailLink(shop.db, link, shop.deps)).searchParams.get('token') ?? '';
}

const resetBy = async (shop: TestApp, account: string, token: string) => {
  await shop.request(endpoints.emailResetPassword, { body: { token, password: stolen } });
  return logIn(shop, account, stolen);
};

const approve = (shop: TestApp, userCode: string, token?: string) =>
  shop.request(endpoints.deviceConfirm, { body: { userCode, approve: true } }, { token });

const fetchToken = async (shop: TestApp, deviceCode: string) => {
  const { body } = await aTvDevice(shop).poll(deviceCode);
  return typeof body['access_token'] === 'string' ? body['access_token'] : undefined;
};

/** Every way to get a session that an attacker can prepare. */
export const accessPaths: Readonly<Record<string, Way>> = {
  'an open session':
    async (_, { token }) =>
    async () =>
      token,
  'the password':
    async (shop, { account, password }) =>
    () =>
      logIn(shop, account, password),
  'a passkey': async (shop, { token, password }) => {
    const device = await putPasskey(shop, { token, password });
    return async () => {
      const answer = await logInByPasskey(shop, device);
      return answer.code === 0 ? answer.data.token : undefined;
    };
  },
  'a code to log in by': async (shop, { account }) => {
    const code = await codeFor(shop, account, 'login');
    return async () => {
      const answer = await shop.request(endpoints.codeLogin, { body: { account, type: 'email', code } });
      return answer.code === 0 ? answer.data.token : undefined;
    };
  },
  'a code for a new password': async (shop, { account }) => {
    const code = await codeFor(shop, account, 'reset');
    return async () => {
      await shop.request(endpoints.resetPasswd, { body: { account, type: 'email', code, password: stolen } });
      return logIn(shop, account, stolen);
    };
  },
  'a link of a mail': async (shop, victim) => {
    const token = await resetLink(shop, victim);
    return () => resetBy(shop, victim.account, token);
  },
  'a mail that was asked for and is not written yet': async (shop, { account }) => {
    await shop.request(endpoints.resetPasswordByEmail, { body: { email: account, language: 'en' } });
    return async () => {
      const mails = await mailboxOf(shop, account);
      const mail = mails.find(({ text }) => text.includes('/resetPassword?'));
      return mail && resetBy(shop, account, linkOf(mail).token);
    };
  },
  'a link that binds an address': async (shop, { uid }) => {
    const email = `thief-${uid.slice(0, 8)}@example.com`.toLowerCase();
    await shop.db.transaction((tx) => startBinding(tx, { brand: lumenOf(shop), uid, email }, shop.deps));
    const [mail] = await mailboxOf(shop, email);
    const { token } = linkOf(mail ?? { text: '' });
    return async () => {
      const bound = await shop.request(endpoints.bindEmailConfirmed, { body: { token } });
      return bound.code === 0 ? resetBy(shop, email, await resetLink(shop, { uid, account: email })) : undefined;
    };
  },
  'a new address that waits for its code': async (shop, { token, password, uid }) => {
    const name = emailOf(`moved-${uid.slice(0, 8)}@example.com`.toLowerCase());
    const proof = await proofOf(shop, { token, password });
    const sent = await codeForContact(shop, { token, password }, name, proof);
    return async () => {
      const moved = await shop.request(
        endpoints.changeContact,
        { body: { ...name, ...sent, confirmation: proof } },
        { token },
      );
      return moved.code === 0 ? resetBy(shop, name.account, await resetLink(shop, { uid, ...name })) : undefined;
    };
  },
  'a token of the app': async (shop, { uid }) => bySso(shop, uid, 'app'),
  'a token on a screen': async (shop, { uid }) => bySso(shop, uid, 'qr'),
  'a TV device that was approved and has not fetched its token': async (shop, { token }) => {
    const { deviceCode, userCode } = await aTvDevice(shop).codes();
    await approve(shop, userCode, token);
    return () => fetchToken(shop, deviceCode);
  },
  'a TV device that waits and is approved by the stolen session': async (shop, { token }) => {
    const { deviceCode, userCode } = await aTvDevice(shop).codes();
    return async () => {
      await approve(shop, userCode, token);
      return fetchToken(shop, deviceCode);
    };
  },
  'a TV device that is signed in and waits for a phone': async (shop, { uid }) => {
    const { userCode } = await aTvDevice(shop).codes({ login_token: await anSsoToken(shop, { uid, src: 'qr' }) });
    return async () => {
      const answer = await approve(shop, userCode);
      return answer.code === 0 ? answer.data.user?.token : undefined;
    };
  },
  'a TV device that is signed in, was approved and has not fetched its token': async (shop, { uid }) => {
    const codes = await aTvDevice(shop).codes({ login_token: await anSsoToken(shop, { uid, src: 'qr' }) });
    await approve(shop, codes.userCode);
    return () => fetchToken(shop, codes.deviceCode);
  },
  'a TV device that has its token': async (shop, { token }) => {
    const { deviceCode, userCode } = await aTvDevice(shop).codes();
    await approve(shop, userCode, token);
    const boxToken = await fetchToken(shop, deviceCode);
    return async () => boxToken;
  },
  'a checkout that a TV hands over and no phone has taken': async (shop, { token }) => {
    const userCode = await startHandover(shop, token);
    return () => acceptHandover(shop, userCode);
  },
  'a phone that was handed a checkout': async (shop, { token }) => {
    const phoneToken = await acceptHandover(shop, await startHandover(shop, token));
    return async () => phoneToken;
  },
};

async function startHandover(shop: TestApp, token: string): Promise<string> {
  const body = { planId: '101', language: 'en', idempotencyKey: crypto.randomUUID() } as const;
  return (await shop.request(endpoints.openHandover, { body }, { token })).data.userCode;
}

async function acceptHandover(shop: TestApp, userCode: string): Promise<string | undefined> {
  const answer = await shop.request(endpoints.takeHandover, { body: { userCode, approve: true } });
  return answer.code === 0 ? answer.data.user?.token : undefined;
}

async function bySso(shop: TestApp, uid: string, src: 'app' | 'qr') {
  const token = await anSsoToken(shop, { uid, src });
  return async () => {
    const answer = await shop.request(endpoints.sso, { body: { token } });
    return answer.code === 0 ? answer.data.token : undefined;
  };
}

/** An input for any endpoint, for tests in which only the sender matters. */
export const anInput = ({ method }: Endpoint) => ({ params: { id: '1' }, ...(method === 'POST' && { body: {} }) });

/** Whether a token belongs to an open session. */
export async function opens(shop: TestApp, token: string | undefined): Promise<boolean> {
  if (token === undefined) return false;
  return (await shop.request(endpoints.orders, { body: { page: 1, size: 1 } }, { token })).code === 0;
}

/** The indexes through which each job has to find its due rows. */
export const expectedIndexes: Readonly<Record<string, readonly string[]>> = {
  'issue-invoices': ['ledger_to_invoice'],
  reconcile: ['attempts_to_ask'],
  'refund-duplicates': ['ledger_to_give_back'],
  'refund-parts': ['refunds_to_ask', 'refunds_number'],
  'cancel-abandoned-orders': ['orders_abandoned'],
  // Written requests are deleted, so the table contains only due rows.
  'write-requested-messages': [],
  'send-outbox': ['outbox_lanes'],
  'remind-of-ends': ['push_subscriptions_remind'],
  'remind-of-slips': ['attempts_slip_reminder'],
  'renew-due': ['subscriptions_due'],
  'watch-payments': ['push_watches_look'],
  'send-pushes': ['push_messages_due'],
  'send-webhooks': ['webhook_deliveries_due'],
  'delete-accounts': ['users_leaving', 'cards_to_forget_due'],
  'purge-ended': [
    'sessions_end',
    'throttles_end',
    'captchas_end',
    'spent_tokens_end',
    'verification_codes_end',
    'device_grants_end',
    'mail_links_end',
    'webhook_events_time',
    'webhook_deliveries_created',
    'stray_notices_time',
    'login_records_time',
    'analytics_events_age',
    'outbox_sent',
    'outbox_given_up',
    'uploads_time',
  ],
  'deliver-notices': ['sandbox_notices_due', 'sandbox_charges_ripe'],
};
