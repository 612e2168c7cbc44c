import { useEffect } from 'react';
import { loadMessages } from '#web/platform/i18n/catalogs.ts';
import { useLazyModule } from '#web/platform/pwa/use-lazy-module.ts';

async function loadPhoneSignIn() {
  const [{ PhoneSignInBeside }] = await Promise.all([import('./sign-on/phone-sign-in.tsx'), loadMessages('private')]);
  return PhoneSignInBeside;
}

/** On a TV, where typing is tedious, a phone logs in or signs up. Loaded on a TV only. */
export function PhoneBeside({ isSignup = false }: { isSignup?: boolean }) {
  const [PhoneSignIn, want] = useLazyModule(loadPhoneSignIn);
  useEffect(() => {
    if (document.documentElement.dataset.screen) void want();
  }, [want]);
  return PhoneSignIn ? <PhoneSignIn isSignup={isSignup} /> : null;
}
