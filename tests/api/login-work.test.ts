import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi, type Mock } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { users } from '#server/db/schema/users.ts';
import type { TestApp } from '#tests/builders/test-app.ts';

const library = '@node-rs/argon2';
type Verify = (typeof import('@node-rs/argon2'))['verify'];

let shop: TestApp;
let verify: Mock<Verify>;
// Records the calls of the real library. Test files share modules, so the server is loaded again for this.
beforeAll(async () => {
  vi.resetModules();
  vi.doMock(library, { spy: true });
  verify = vi.mocked((await import('@node-rs/argon2')).verify);
  const { testApp } = await import('#tests/builders/test-app.ts');
  shop = await testApp();
});
afterAll(async () => {
  await shop.close();
  vi.doUnmock(library);
  vi.resetModules();
});

/** What determines the work of comparing a password with this hash. */
function workOf(hash: string) {
  const [, algorithm, version, costs, , digest] = hash.split('$');
  return { algorithm, version, costs, digestLength: digest?.length };
}

/** The work of each comparison during a login. */
async function workOfLogin(account: string, password: string) {
  verify.mockClear();
  const answer = await shop.request(endpoints.login, { body: { account, password, type: 'email' } });
  expect(answer.errCode).toBe(3001);
  return verify.mock.calls.map(([hash]) => workOf(String(hash)));
}

describe('a refused login', () => {
  it.each([
    ['in ASCII', 'wrong-password', 1],
    ['that has two spellings', 'wrong-pass\u00e9', 2],
  ])('takes the same work for an unknown account as for a wrong password %s', async (_, password, comparisons) => {
    const { uid, account } = await shop.customer();
    const [user] = await shop.db.select().from(users).where(eq(users.uid, uid));
    const work = workOf(user?.passwordHash ?? '');
    expect(await workOfLogin(account, password)).toEqual(Array.from({ length: comparisons }, () => work));
    expect(await workOfLogin('nobody@example.com', password)).toEqual(await workOfLogin(account, password));
    await shop.db.update(users).set({ passwordHash: null }).where(eq(users.uid, uid));
    expect(await workOfLogin(account, password)).toEqual(await workOfLogin('nobody@example.com', password));
  });
});
