import { useEffect } from 'react';
import { useCaptcha, type Captcha } from './use-captcha.ts';

/** A captcha that was asked for before its code was there: it hands over what controls it. */
export function CaptchaPart({ onControl }: { onControl: (captcha: Captcha) => void }) {
  const captcha = useCaptcha();
  useEffect(() => onControl(captcha));
  return captcha.view;
}
