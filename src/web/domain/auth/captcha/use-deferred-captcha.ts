import { useCallback, useRef, useState } from 'react';
import { useLazyModule } from '#web/platform/pwa/use-lazy-module.ts';
import type { CaptchaAnswer, CaptchaAccount } from './captcha-answer.ts';
import type { Captcha } from './use-captcha.tsx';

const loadCaptcha = async () => (await import('./use-captcha.tsx')).CaptchaPart;

/** `useCaptcha` for a form whose page loads its code only when a captcha is required. */
export function useDeferredCaptcha() {
  const control = useRef<Captcha>(null);
  const [CaptchaPart, want] = useLazyModule(loadCaptcha);
  const waiting = useRef<Parameters<Captcha['ask']>>(null);
  const onControl = useCallback((captcha: Captcha) => {
    control.current = captcha;
    if (!waiting.current) return;
    captcha.ask(...waiting.current);
    waiting.current = null;
  }, []);
  const [due, setDue] = useState(false);
  const ask = async (...what: Parameters<Captcha['ask']>) => {
    if (control.current) return control.current.ask(...what);
    waiting.current = what;
    if (await want()) setDue(true);
  };
  return {
    /** to be rendered above the form's button */
    Part: due ? CaptchaPart : undefined,
    onControl,
    missing: (of: CaptchaAccount): boolean => control.current?.missing(of) ?? false,
    answer: async (): Promise<CaptchaAnswer> => (await control.current?.answer()) ?? {},
    ask,
  };
}

export type DeferredCaptcha = ReturnType<typeof useDeferredCaptcha>;
