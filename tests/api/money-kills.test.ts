import { describe, expect, it } from 'vitest';
import { verifyKills } from '#tests/tools/verify/kills.ts';
import { ways } from '#tests/tools/verify/payment-methods.ts';

const seed = Number(process.env.PROOF_SEED ?? Date.now() % 2 ** 31);

/** A short version of the kills in `npm run verify:money`, at the two most expensive points. It needs a build. */
describe('a shop whose process is killed', { timeout: 180_000, tags: 'slow' }, () => {
  it(`loses no payment that it has confirmed, and charges none twice (seed ${seed})`, async () => {
    const points = ['after the intent, before the provider', 'after the charge, before it is written'] as const;
    const proved = ways.filter(({ method }) => ['card', 'pix', 'useepay', 'wallet'].includes(method));
    const { audit, kills, output } = await verifyKills({
      kills: points.length,
      points,
      proved,
      seed,
      atOnce: 8,
      lifeMs: 100,
    });
    expect([...kills.keys()]).toEqual(points);
    const wrong = audit.findings.filter(({ faults }) => faults.length > 0);
    expect(wrong.map(({ purchase, faults }) => `${purchase.way.name}: ${faults.join('; ')}`)).toEqual([]);
    expect(audit.faults).toEqual([]);
    expect(audit.findings.length).toBeGreaterThan(points.length);
    expect(output).not.toContain('"level":50');
  });
});
