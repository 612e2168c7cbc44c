import * as endpoints from '#contract/index.ts';
import type { TestApp } from './test-app.ts';

export interface Changing {
  readonly token: string;
  readonly password: string;
  readonly host?: string;
}

/** A new email address or phone number, in the form of the API. */
export interface NewName {
  readonly account: string;
  readonly type: 'email' | 'phone';
  readonly areaCode?: string;
}

/** Confirms the customer by the password; returns the confirmation. */
export async function proofOf(shop: TestApp, { token, password, host }: Changing): Promise<string> {
  return (await shop.request(endpoints.confirmOwner, { body: { purpose: 'contact', password } }, { token, host })).data
    .confirmation;
}

export const emailOf = (account: string): NewName => ({ account, type: 'email' });

/** Requests a code for a new address or number; returns the request id and the code. */
export async function codeForContact(shop: TestApp, who: Changing, name: NewName, proof: string) {
  const { token, host } = who;
  // the pause after an earlier code to this account is over
  shop.clock.advance(60_000);
  const sent = await shop.request(
    endpoints.sendContactCode,
    { body: { ...name, confirmation: proof, language: 'en' } },
    { token, host },
  );
  const recipient = `${name.areaCode ?? ''}${name.account}`;
  return { request: sent.data.request, code: await shop.lastCode(recipient) };
}

/** Changes the address or number of an account, confirmed by the password. */
export async function changeContact(shop: TestApp, who: Changing, name: NewName) {
  const proof = await proofOf(shop, who);
  const sent = await codeForContact(shop, who, name, proof);
  const { token, host } = who;
  return shop.request(endpoints.changeContact, { body: { ...name, ...sent, confirmation: proof } }, { token, host });
}
