import * as assert from 'node:assert/strict';
import { isOpen } from '#contract/order-status.ts';
import { paidTwice } from '#tests/builders/unbalanced-orders.ts';
import { assertInvariants, type Watch } from './invariants.ts';
import { assertCardsRemoved } from './account-deletion.ts';
import type { Story } from './purchase.ts';
import { act, type Step } from './steps.ts';
import { recordsOf } from './world.ts';

const second = 1000;
const hour = 60 * 60 * second;

/**
 * Advances the clock without further steps, except late payments of expired orders. Then asserts that nothing is open
 * and that the shop and its providers agree about every amount.
 */
export async function checkFinalState(story: Story, watch: Watch): Promise<void> {
  const afterDay = () => assertInvariants(story.world, watch);
  const runSteps = async (...steps: Step[]) => {
    for (const step of steps) {
      await act(story, step, { alone: true, afterDay });
      await afterDay();
    }
  };
  await runSteps({ do: 'deliver', afterMs: 0 }, { do: 'review', transfer: 0, accepts: false });
  for (let proofs = 0; proofs < 3; proofs += 1) await runSteps({ do: 'review', transfer: 0, accepts: true });
  for (const afterMs of [31 * second, 2 * second, 8 * 24 * hour, 26 * hour]) {
    await runSteps({ do: 'deliver', afterMs: 0 }, { do: 'jobs', afterMs });
  }
  for (const page of story.pages.keys()) {
    await runSteps({ do: 'press', page, action: 'pay-late' }, { do: 'press', page, action: 'late' });
  }
  for (const afterMs of [2 * second, 31 * second, 2 * second, 31 * second]) {
    await runSteps({ do: 'deliver', afterMs }, { do: 'jobs', afterMs });
  }
  await assertBooksAgree(story);
  if (!watch.isGone) return;
  // a request to an unavailable bank is repeated within a day
  await runSteps({ do: 'jobs', afterMs: 25 * hour });
  await assertCardsRemoved(story.world, watch.tokens);
}

async function assertBooksAgree({ world }: Story): Promise<void> {
  const records = await recordsOf(world);
  const open = records.attempts.filter(({ state }) => state === 'INTENT' || state === 'PENDING');
  assert.deepEqual(open, [], 'an attempt is unfinished');
  const waiting = records.orders.filter(({ status }) => isOpen(status));
  assert.deepEqual(waiting, [], 'an order is pending forever');
  const booked = records.ledger.filter(({ kind, amount }) => kind === 'capture' && amount !== 0);
  assert.deepEqual(
    records.takings.map(({ key }) => key).toSorted(),
    booked.map((entry) => entry.attemptId).toSorted(),
    'the charges of the providers differ from the captures of the shop',
  );
  const unpaid = new Set(records.orders.filter(({ paidAt }) => paidAt === null).map(({ orderId }) => orderId));
  const unrefunded = records.ledger
    .filter(({ orderId }) => unpaid.has(orderId))
    .reduce((sum, { amount }) => sum + amount, 0);
  assert.equal(unrefunded, 0, 'a payment without a service was not refunded');
  assert.deepEqual(wrongParts(records), [], 'the partial refunds of a provider differ from those of the shop');
  assert.deepEqual(paidTwice(records), [], 'a double payment was not refunded');
}

/** Partial refunds that differ between the provider and the shop, unless the rest was refunded before their notice. */
function wrongParts({ takings, ledger }: Awaited<ReturnType<typeof recordsOf>>): string[] {
  return takings.flatMap(({ key, parts, givenBack }) => {
    const own = ledger.filter(({ attemptId }) => attemptId === key);
    const booked = -own.filter(({ kind }) => kind.startsWith('part ')).reduce((sum, { amount }) => sum + amount, 0);
    const isOver = givenBack || own.some(({ kind }) => kind === 'refund' || kind === 'chargeback');
    return parts === null || parts === booked || isOver ? [] : [`${key}: ${parts} refunded, ${booked} booked`];
  });
}
