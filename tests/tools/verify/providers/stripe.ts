import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Proof } from '../verify-provider.ts';

/** The tests of the adapter that need no stand-in, with keys for tests, against Stripe itself. */
export const proof = {
  needs: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  prove: async ({ env, see }) => {
    see('the key is one for tests', /^[sr]k_test_\w+$/.test(env['STRIPE_SECRET_KEY'] ?? ''));
    const tests = ['run', '--project', 'api', 'tests/api/payments-stripe-account.test.ts'];
    const vitest = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...tests], {
      stdio: 'inherit',
      env: { ...process.env, PROOF_PROVIDER: 'stripe' },
    });
    await once(vitest, 'exit');
    see('its tests hold at Stripe', vitest.exitCode === 0);
  },
} satisfies Proof;
