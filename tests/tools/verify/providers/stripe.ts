import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Proof } from '../verify-provider.ts';

/** Runs the tests of the adapter that work with a real account, against Stripe with test keys. */
export const proof = {
  needs: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  prove: async ({ env, see }) => {
    see('the key is a test key', /^[sr]k_test_\w+$/.test(env['STRIPE_SECRET_KEY'] ?? ''));
    const tests = ['run', '--project', 'api', 'tests/api/payments-stripe-account.test.ts'];
    const vitest = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...tests], {
      stdio: 'inherit',
      env: { ...process.env, PROOF_PROVIDER: 'stripe' },
    });
    await once(vitest, 'exit');
    see('its tests pass at Stripe', vitest.exitCode === 0);
  },
} satisfies Proof;
