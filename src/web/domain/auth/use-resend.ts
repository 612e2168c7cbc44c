import { useState } from 'react';
import { useTap, type Tap } from '#web/platform/form/use-tap.ts';
import type { MailRequest } from './use-mail-request.ts';
import type { Elements } from '#web/ui/elements.ts';

/**
 * Asks for the mail by one tap, where nothing is to be typed. `captcha` shows only while a tap waits for it, so that
 * it does not take the focus from the news that a mail is on its way.
 */
export function useResend({ send, captcha }: MailRequest, email: string): Tap & { readonly captcha: Elements } {
  const [due, setDue] = useState(false);
  const tap = useTap(async () => {
    const refusal = await send(email);
    const problem = refusal?.summary ?? refusal?.fields?.account;
    setDue(refusal !== undefined && problem === undefined);
    return problem;
  });
  return { ...tap, captcha: due ? captcha.view : null };
}
