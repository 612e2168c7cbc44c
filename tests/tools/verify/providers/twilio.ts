import { openSms } from '#server/runtime/wiring/open-deps.ts';
import { MessageRefused } from '#server/messages/sms.ts';
import { createMetrics } from '#server/runtime/metrics.ts';
import { createLog } from '#server/runtime/log.ts';
import { readSettings } from '#server/env.ts';
import type { Proof } from '../verify-provider.ts';

/**
 * Verifies Twilio with test credentials, whose sender is +15005550006: one message is accepted, one is rejected
 * permanently (twilio.com/docs/iam/test-credentials). `check` and the search for an earlier message need real
 * credentials: with `TWILIO_TEST_PHONE` (digits with the country code) a message is sent there and found again.
 */
export const proof = {
  needs: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
  prove: async ({ env, see }) => {
    const settings = readSettings({ ...env, NODE_ENV: 'test', SANDBOX: 'false' });
    const services = { log: createLog('warn'), clock: Date.now, metrics: createMetrics() };
    const sms = openSms({ env: { ...settings, SIGNING_SECRET: '' }, ...services });
    if (!sms) throw new Error('no SMS can be sent');
    const phone = env['TWILIO_TEST_PHONE'];
    const text = `Marquee ${Date.now()}`;
    await sms.send({ to: phone ?? '15005550006', text }, { id: 'a', isAgain: false });
    see('a message is accepted', true);
    if (phone !== undefined) {
      await sms.send({ to: phone, text }, { id: 'a', isAgain: true });
      see('it is found instead of being sent again: check the phone', (await sms.check?.())?.isReachable === true);
      return;
    }
    const refused = await sms
      .send({ to: '15005550001', text }, { id: 'b', isAgain: false })
      .catch((error: unknown) => error);
    see('an invalid number is rejected permanently', refused instanceof MessageRefused);
  },
} satisfies Proof;
