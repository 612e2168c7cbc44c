import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { hiddenFailedCodesKey, failedCodesKey } from '#server/auth/code-guesses.ts';
import { throttles } from '#server/db/schema/sign-in.ts';
import { deleteExpiredRows } from '#server/jobs/delete-expired-rows.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { writeRequestedMessages } from '#server/jobs/write-requested-messages.ts';
import { recordBounce } from '#server/messages/bounces.ts';
import { allRows } from '#tests/builders/all-rows.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';
import { accountDeletion, weekMs } from '#tests/builders/a-deletion.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await aShop();
});
afterEach(() => shop.close());

const dayMs = 86_400_000;
const { leave, rowOf, pay, pass } = accountDeletion(() => shop);

describe('the deletion of an account', () => {
  it('removes the account name from the whole database, whatever was done with the account', async () => {
    const account = 'ana.deleted@example.com';
    const wrong = { account, type: 'email', code: '0000' } as const;
    const request = { account, type: 'email', scene: 'login', language: 'en' } as const;
    // A request from before the sign-up also contains the name.
    await shop.request(endpoints.sendVerificationCode, { body: { ...request, scene: 'signup' } });
    await writeRequestedMessages(shop.deps);
    shop.clock.advance(60_000);
    const ana = await shop.customer({ account });
    await pay(ana);
    await pay(ana, { methodCode: 'pix' });
    shop.clock.advance(60_000);
    await shop.request(endpoints.sendVerificationCode, { body: request });
    await writeRequestedMessages(shop.deps);
    for (let n = 0; n < 3; n += 1) await shop.request(endpoints.codeLogin, { body: wrong });
    await shop.request(endpoints.login, { body: { account, password: 'not my password', type: 'email' } });
    await shop.request(endpoints.resetPasswordByEmail, { body: { email: account, language: 'en' } });
    await recordBounce(shop.deps, account, 'complaint', shop.clock.now);
    await leave(ana);
    await pass();
    expect((await rowOf(ana))?.userType).toBe('DELETED');
    for (let month = 0; month < 4; month += 1) {
      shop.clock.advance(31 * dayMs);
      await sendOutbox(shop.deps);
      await deleteExpiredRows(shop.deps);
    }
    const rows = await allRows(shop.db);
    const places = rows.split('\n').filter((table) => table.includes('ana.deleted'));
    expect(places.map((table) => table.split(':')[0])).toEqual([]);
  });

  it('deletes the lifetime counters of the account, and not those of others', async () => {
    const ana = await shop.customer();
    const resetsAt = shop.clock.now + 100 * weekMs;
    const keyOf = (account: string) => failedCodesKey(shop.deps, { brand: 'lumen', account });
    const hidden = hiddenFailedCodesKey(shop.deps, { brand: 'lumen', customer: `uid ${ana.uid}` });
    const others = [keyOf(`${ana.account}.br`), keyOf('other@example.com')];
    const own = [keyOf(ana.account), `${keyOf(ana.account)} by nonce`, hidden, `${hidden} by nonce`];
    const all = [...own, ...others];
    expect(all.join(' ')).not.toContain('example.com');
    await shop.db.insert(throttles).values(all.map((key) => ({ key, count: 1, resetsAt })));
    await leave(ana);
    await pass();
    const remaining = (await shop.db.select().from(throttles))
      .map(({ key }) => key)
      .filter((key) => key.startsWith('code failures'));
    expect(remaining.toSorted()).toEqual(others.toSorted());
  });
});
