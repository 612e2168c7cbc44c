import * as endpoints from '#contract/index.ts';
import type { TestApp } from './test-app.ts';

export interface Changing {
  readonly token: string;
  readonly password: string;
  readonly host?: string;
}

/** A new name, as the calls have it. */
export interface NewName {
  readonly account: string;
  readonly type: 'email' | 'phone';
  readonly areaCode?: string;
}

/** The proof of a customer who knows the password. */
export async function proofOf(shop: TestApp, { token, password, host }: Changing): Promise<string> {
  return (await shop.request(endpoints.confirmOwner, { body: { purpose: 'contact', password } }, { token, host })).data
    .confirmation;
}

export const emailOf = (account: string): NewName => ({ account, type: 'email' });

/** Has a code sent to a new name; answers what goes with it, and its digits. */
export async function codeForContact(shop: TestApp, who: Changing, name: NewName, proof: string) {
  const { token, host } = who;
  // by now the pause after another code to this name is over
  shop.clock.advance(60_000);
  const asked = await shop.request(
    endpoints.sendContactCode,
    { body: { ...name, confirmation: proof, language: 'en' } },
    { token, host },
  );
  const written = `${name.areaCode ?? ''}${name.account}`;
  return { request: asked.data.request, code: await shop.lastCode(written) };
}

/** All of a change of address or number, by the password. */
export async function changeContact(shop: TestApp, who: Changing, name: NewName) {
  const proof = await proofOf(shop, who);
  const sent = await codeForContact(shop, who, name, proof);
  const { token, host } = who;
  return shop.request(endpoints.changeContact, { body: { ...name, ...sent, confirmation: proof } }, { token, host });
}
