import * as assert from 'node:assert/strict';
import { isOpen } from '#contract/order-status.ts';
import { paidTwice } from '#tests/builders/balanced.ts';
import { assertInvariants, type Watch } from './laws.ts';
import { assertCardsRemoved } from './leaving.ts';
import type { Story } from './purchase.ts';
import { act, type Step } from './steps.ts';
import { recordsOf } from './world.ts';

const second = 1000;
const hour = 60 * 60 * second;

/**
 * Time passes and nobody does anything more, but for those who pay what has ended long ago. Then nothing is open, and shop
 * and providers agree about every coin.
 */
export async function checkFinalState(story: Story, watch: Watch): Promise<void> {
  const afterDay = () => assertInvariants(story.world, watch);
  const happens = async (...steps: Step[]) => {
    for (const step of steps) {
      await act(story, step, { alone: true, afterDay });
      await afterDay();
    }
  };
  await happens({ do: 'deliver', afterMs: 0 }, { do: 'review', transfer: 0, accepts: false });
  for (let proofs = 0; proofs < 3; proofs += 1) await happens({ do: 'review', transfer: 0, accepts: true });
  for (const afterMs of [31 * second, 2 * second, 8 * 24 * hour, 26 * hour]) {
    await happens({ do: 'deliver', afterMs: 0 }, { do: 'jobs', afterMs });
  }
  for (const page of story.pages.keys()) {
    await happens({ do: 'press', page, action: 'pay-late' }, { do: 'press', page, action: 'late' });
  }
  for (const afterMs of [2 * second, 31 * second, 2 * second, 31 * second]) {
    await happens({ do: 'deliver', afterMs }, { do: 'jobs', afterMs });
  }
  await agrees(story);
  if (!watch.isGone) return;
  // a bank that was away is asked again within a day
  await happens({ do: 'jobs', afterMs: 25 * hour });
  await assertCardsRemoved(story.world, watch.tokens);
}

async function agrees({ world }: Story): Promise<void> {
  const records = await recordsOf(world);
  const open = records.attempts.filter(({ state }) => state === 'INTENT' || state === 'PENDING');
  assert.deepEqual(open, [], 'an attempt has no end');
  const waiting = records.orders.filter(({ status }) => isOpen(status));
  assert.deepEqual(waiting, [], 'an order waits for ever');
  const booked = records.ledger.filter(({ kind, amount }) => kind === 'capture' && amount !== 0);
  assert.deepEqual(
    records.takings.map(({ key }) => key).toSorted(),
    booked.map((entry) => entry.attemptId).toSorted(),
    'the providers have taken something else than the shop has booked',
  );
  const unpaid = new Set(records.orders.filter(({ paidAt }) => paidAt === null).map(({ orderId }) => orderId));
  const kept = records.ledger.filter(({ orderId }) => unpaid.has(orderId)).reduce((sum, { amount }) => sum + amount, 0);
  assert.equal(kept, 0, 'money that paid for nothing was not given back');
  assert.deepEqual(wrongParts(records), [], 'a provider gave back other parts than the shop has booked');
  assert.deepEqual(paidTwice(records), [], 'what was paid twice was not given back');
}

/** Each part is given once: by the providers' books as by the shop's, unless the rest went back before it was told. */
function wrongParts({ takings, ledger }: Awaited<ReturnType<typeof recordsOf>>): string[] {
  return takings.flatMap(({ key, parts, givenBack }) => {
    const own = ledger.filter(({ attemptId }) => attemptId === key);
    const booked = -own.filter(({ kind }) => kind.startsWith('part ')).reduce((sum, { amount }) => sum + amount, 0);
    const isOver = givenBack || own.some(({ kind }) => kind === 'refund' || kind === 'chargeback');
    return parts === null || parts === booked || isOver ? [] : [`${key}: ${parts} given, ${booked} booked`];
  });
}
