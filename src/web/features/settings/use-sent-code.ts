import { useState } from 'react';
import { sendContactCode } from '#contract/settings.ts';
import { useSecondsLeft } from '#web/domain/auth/codes/wait-words.ts';
import { useCaptcha } from '#web/domain/auth/captcha/use-captcha.tsx';
import type { Input } from '#contract/endpoint.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { useApiMutation, type Outcome } from '#web/platform/form/use-api-mutation.ts';
import type { Words } from '#web/platform/form/words.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { identityIn } from '#web/domain/auth/account-rules.ts';

interface SentCode {
  /** sent with the code */
  readonly request: string;
  /** when another can be requested, by the server's clock; epoch milliseconds */
  readonly until: number;
}

interface SentCodeOptions {
  readonly message: (error: CallError) => Words | undefined;
  readonly onSent: (to: Body) => void;
}

type Body = Input<typeof sendContactCode>['body'];

/** Sends a code to the session's new address or number. */
export function useSentCode({ message, onSent }: SentCodeOptions) {
  const captcha = useCaptcha();
  const [sent, setSent] = useState<SentCode>();
  const seconds = useSecondsLeft(sent);
  const request = useApiMutation(sendContactCode, {
    onSuccess: ({ waitSeconds, request: name }, { body }) => {
      setSent({ request: name, until: serverNow() + waitSeconds * 1000 });
      onSent(body);
    },
    errors: { wrongCaptcha: (error, _message, { body }) => captcha.ask(identityIn(body), error) },
    message,
  });
  /** an empty refusal if the captcha shows what is due first */
  const send = async (body: Body): Promise<Outcome<typeof sendContactCode>> => {
    if (captcha.missing(identityIn(body))) return { refusal: {} };
    return request.send({ body: { ...body, ...(await captcha.answer()) } });
  };
  return { captcha, sent, seconds, send };
}
