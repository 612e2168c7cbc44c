import { onSessionChange } from '../../session/session.ts';
import type { PayerForm } from './payer-form.ts';

/**
 * Who paid last in this tab, so that an expired code is made anew without typing it all again. In memory only, never
 * with anything of a card, and gone with the session.
 */
let last: { readonly uid: string; readonly payer: Partial<PayerForm> } | undefined;
let watching = false;

export function rememberPayer(uid: string, form: PayerForm): void {
  const { number: _number, expiry: _expiry, code: _code, ...payer } = form;
  last = { uid, payer };
  if (watching) return;
  watching = true;
  onSessionChange((user) => {
    if (user?.uid !== last?.uid) last = undefined;
  });
}

export function recallPayer(uid: string): Partial<PayerForm> {
  return last?.uid === uid ? last.payer : {};
}
