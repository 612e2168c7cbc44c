import { describe, expect, it } from 'vitest';
import { verifyMoney } from '#tests/tools/verify/money.ts';
import { ways } from '#tests/tools/verify/payment-methods.ts';

const seed = Number(process.env.PROOF_SEED ?? Date.now() % 2 ** 31);

/** The short version of `npm run verify:money`: the same simulated customers and network faults, with sixty purchases. */
describe('over connections with cut, truncated, delayed and repeated messages', { timeout: 60_000 }, () => {
  it(`every purchase ends paid once or unpaid, as its customer was shown (seed ${seed})`, async () => {
    const purchases = Math.max(60, ways.length);
    const { audit } = await verifyMoney({ purchases, seed, on: 'in process', atOnce: purchases, percent: 20 });
    const wrong = audit.findings.filter(({ faults }) => faults.length > 0);
    expect(wrong.map(({ purchase, faults }) => `${purchase.way.name}: ${faults.join('; ')}`)).toEqual([]);
    expect(audit.faults).toEqual([]);
    expect(audit.findings).toHaveLength(purchases);
    const paid = audit.findings.filter(({ end }) => end === 'paid');
    expect(paid.length).toBeGreaterThan(purchases / 4);
    expect(paid.reduce((sum, { charges }) => sum + charges, 0)).toBe(paid.length);
  });
});
