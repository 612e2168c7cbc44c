import { useCallback, useRef, useState } from 'react';
import { usePart } from '../../account-form/use-part.ts';
import type { Captcha } from '../../captcha/use-captcha.ts';
import type { CaptchaAnswer } from '../../captcha/given.ts';

const loadCaptcha = async () => (await import('../../identity/captcha-part.tsx')).CaptchaPart;

/** [Note: Asking for a captcha], for a form whose first visit has no room for what few will meet. */
export function useLateCaptcha() {
  const control = useRef<Captcha>(null);
  const [CaptchaPart, want] = usePart(loadCaptcha);
  const onControl = useCallback((captcha: Captcha) => void (control.current = captcha), []);
  const [due, setDue] = useState(false);
  const ask = async () => {
    if (control.current) control.current.ask();
    else if (await want()) setDue(true);
  };
  return {
    /** to be put above the form's button */
    Part: due ? CaptchaPart : undefined,
    onControl,
    missing: (): boolean => control.current?.missing() ?? false,
    answer: async (): Promise<CaptchaAnswer> => (await control.current?.answer()) ?? {},
    ask,
  };
}

export type LateCaptcha = ReturnType<typeof useLateCaptcha>;
