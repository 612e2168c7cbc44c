import { beginPasskeyLogin, signup } from '#contract/index.ts';
import { waitForHydration, visit } from '#tests/fixtures/checkout.ts';
import { freshAccount, goodPassword } from '#tests/fixtures/customer.ts';
import { codeTo, messagesTo } from '#tests/fixtures/outbox.ts';
import { withLock, type PasskeyLock } from '#tests/fixtures/passkey-lock.ts';
import { callShop } from '#tests/fixtures/shop-api.ts';
import { withCaptcha } from '#tests/fixtures/solve-captcha.ts';
import type { Person } from './person.ts';
import type { Shop, Walk } from './walk.ts';

const submit = ({ page }: Person) => page.locator('form button[type="submit"]');
const waitToLeave = ({ page }: Person, path: string, ms = 30_000) =>
  page.waitForURL((url) => url.pathname !== path, { timeout: ms });

export const logInByPassword: Walk = async (person, _, who) => {
  await person.open('/login');
  await person.typeAsked({ account: who.account, password: goodPassword });
  await person.tap(submit(person));
  await waitToLeave(person, '/login');
};

/** The sign-up has just sent a code, and the next one can be sent after a minute. */
export const aMinutePasses: Walk = async ({ page }) => page.waitForTimeout(61_000);

export const logInByCode: Walk = async (person, shop, { account }) => {
  await person.open('/login');
  await person.tap(person.page.getByText('Use a code instead'));
  await person.type('account', account);
  const origin = shop.origin('lumen');
  const [before] = await messagesTo(origin, account);
  await person.tap(person.button('Send code'));
  // the form submits itself after the last digit
  await person.type('code', await codeTo(origin, account, before));
  await waitToLeave(person, '/login');
};

/** Pastes a phone number from an address book into the field for the email address. */
export const logInByPastedNumber: Walk = async (person, shop) => {
  const origin = shop.origin('mego');
  const account = `9${String(Date.now()).slice(-9)}`;
  const form = { account, areaCode: '7', type: 'phone', password: goodPassword } as const;
  await withCaptcha(origin, form, (captcha) =>
    callShop(origin, signup, { body: { ...form, agreePolicy: true, language: 'en', ...captcha } }),
  );
  await person.open('/login');
  await person.type('account', `+7 ${account}`);
  await person.type('password', goodPassword);
  await person.tap(submit(person));
  await waitToLeave(person, '/login');
};

const locks = new WeakMap<Person, PasskeyLock>();

/** Creates a passkey and logs out. */
export const makesPasskey: Walk = async (person, shop, who) => {
  const { page } = person;
  const lock = await withLock(page);
  locks.set(person, lock);
  await logInByPassword(person, shop, who);
  await visit(page, '/passkeys');
  await person.button('Add passkey').click();
  await page.locator('[name=password]').fill(goodPassword);
  await person.button('Continue').click();
  await page.locator('[name=name]').fill('Phone');
  await person.button('Create passkey').click();
  await page.getByText('Your passkey is ready.').waitFor();
  await visit(page, '/account');
  await person.button('Log out').click();
  await page.waitForURL('/');
  // ignore the passkey autofill of the account field
  await lock.answers(false);
};

export const logInByPasskey: Walk = async (person) => {
  const { page } = person;
  const path = `**${beginPasskeyLogin.path}`;
  const offered = page.waitForResponse(path);
  await person.open('/login');
  await offered;
  const button = person.button('Log in with a passkey');
  await button.waitFor();
  // a confirmation before the tap is processed would answer the passkey autofill of the account field
  await page.route(path, async (route) => {
    await locks.get(person)?.answers(true);
    await route.continue();
  });
  await person.tap(button);
  await waitToLeave(person, '/login');
};

export const newPasswordByCode: Walk = async (person, shop, { account }) => {
  const newPassword = 'another song of two rivers';
  await person.open('/forgot-password');
  await person.type('account', account);
  await person.tap(person.button('Send me a code'));
  // the last digit continues to the next step
  await person.type('code', await codeTo(shop.origin('mego'), account));
  await person.type('password', newPassword);
  await person.type('repeated', newPassword);
  await person.tap(person.button('Change password'));
  await person.page.getByRole('heading', { name: 'Your password was changed' }).waitFor();
};

export const signUp: Walk = async (person, shop) => {
  await person.open('/register');
  await signUpHere(person, shop);
};

/** Signs up on the page that is open. */
export async function signUpHere(person: Person, shop: Shop): Promise<void> {
  const account = freshAccount();
  await person.type('account', account);
  await person.tap(person.button('Continue'));
  await person.type('code', await codeTo(shop.origin('lumen'), account));
  await person.type('password', goodPassword);
  await person.type('repeated', goodPassword);
  await person.tap(person.page.locator('input[name="agreed"]'));
  await person.tap(person.button('Create account'));
  await waitToLeave(person, '/register');
}

export const signUpByGoogle: Walk = async (person) => {
  const { page } = person;
  await person.open('/register');
  await person.tap(person.button(/Google/));
  await page.getByLabel('E-mail').fill(freshAccount());
  await page.getByLabel('Name').fill('Bia Ramos');
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(/register/);
  await waitForHydration(page);
  await person.tap(page.locator('input[name="agreed"]'));
  await person.tap(person.button('Create account'));
  await waitToLeave(person, '/register');
};
