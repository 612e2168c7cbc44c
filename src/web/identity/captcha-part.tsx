import { useEffect, useRef } from 'react';
import { useCaptcha, type Captcha } from '../captcha/use-captcha.ts';

/** A captcha that was asked for before its code was there: it shows at once, and hands over what controls it. */
export function CaptchaPart({ onControl }: { onControl: (captcha: Captcha) => void }) {
  const captcha = useCaptcha();
  const asked = useRef(false);
  useEffect(() => {
    onControl(captcha);
    if (asked.current) return;
    asked.current = true;
    captcha.ask();
  });
  return captcha.view;
}
