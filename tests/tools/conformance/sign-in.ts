import * as endpoints from '#contract/index.ts';
import type { UserInfo } from '#contract/user.ts';
import type { Backend, Reply } from './backend.ts';
import { checkBinding } from './bound.ts';
import type { Brand } from './browse.ts';
import { refusedWith } from './probes.ts';

export interface Account {
  readonly account: string;
  readonly password: string;
}

/** Two customers; neither may see what belongs to the other. */
export type Customers = readonly [UserInfo, UserInfo];

const password = 'correct horse 9 battery';

/** Signs two customers up, or logs the given ones in. Undefined if that fails. */
export async function signIn(
  backend: Backend,
  { config }: Brand,
  given: readonly Account[],
): Promise<Customers | undefined> {
  const { call, book } = backend;
  const { defaultLang: language, login } = config;
  await call(endpoints.countdownConfig, {});
  await call(endpoints.supportPhone, {});
  if (given.length < 2 && login.signupCode) {
    book.note('signup', 'journey', 'requires a code that is sent by email: name two accounts with --account');
    return undefined;
  }
  const accounts: Account[] = given.length < 2 ? [invented(), invented()] : [...given];
  const users: UserInfo[] = [];
  for (const { account, password: secret } of accounts) {
    if (given.length < 2) {
      const created = await call(endpoints.signup, {
        body: { account, password: secret, agreePolicy: true, language },
      });
      book.note('signup', 'journey', !created.ok && `${account} cannot sign up: ${created.reason}`);
    }
    const user = await logIn(backend, { account, password: secret });
    if (user) users.push(user);
  }
  const [first, second] = users;
  if (!first || !second) return undefined;
  await checkAccount(backend, [first, second]);
  if (login.dpop && accounts[0]) await checkBinding(backend, body(accounts[0]));
  if (given.length < 2 && accounts[0]) await signUpAgain(backend, accounts[0], language);
  return [first, second];
}

const invented = (): Account => ({ account: `conformance.${crypto.randomUUID().slice(0, 13)}@example.com`, password });

const body = ({ account, password: secret }: Account) => ({ account, password: secret, type: 'email' as const });

/** Logs in twice: the token of a session that has ended must not be accepted any more. */
async function logIn({ call, book, now }: Backend, account: Account): Promise<UserInfo | undefined> {
  const short = await call(endpoints.login, { body: body(account) });
  if (!short.ok) {
    book.note('login', 'journey', `${account.account} cannot log in: ${short.reason}`);
    return undefined;
  }
  const { uid, token, expiration } = short.data;
  book.note('login', 'journey', expiration < now() && 'the session has expired before it begins');
  const left = await call(endpoints.loginOut, { body: { language: 'en', uid, account: '' } }, { token });
  book.note('loginOut', 'journey', !left.ok && `refuses to log out: ${left.reason}`);
  const { account: name, type } = short.data;
  const after = await call(endpoints.queryInfo, { body: { uid, account: name, type } }, { token });
  book.note('loginOut', 'token', refusedWith('invalidToken', after, 'with the token of a session that was logged out'));
  const again: Reply<UserInfo> = await call(endpoints.login, { body: body(account) });
  book.note('login', 'token', again.ok && again.data.token === token && 'two sessions have the same token');
  return again.data;
}

async function checkAccount({ call, book }: Backend, [first, second]: Customers): Promise<void> {
  const { uid, account, type, token } = first;
  const own = await call(endpoints.queryInfo, { body: { uid, account, type } }, { token });
  book.note('queryInfo', 'journey', !own.ok && `does not show the customer’s own account: ${own.reason}`);
  book.note('queryInfo', 'journey', own.data !== undefined && own.data.uid !== uid && 'shows another account');
  const foreign = await call(endpoints.queryInfo, { body: { uid, account, type } }, { token: second.token });
  book.note('queryInfo', 'ownership', foreign.data?.uid === uid && 'shows the account of another customer');
  const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  const other = await call(endpoints.queryInfo, { body: { uid, account, type } }, { token: changed });
  book.note('queryInfo', 'token', refusedWith('invalidToken', other, 'with a token whose last letter differs'));
}

async function signUpAgain(
  { call, book }: Backend,
  taken: Account,
  language: 'en' | 'pt' | 'es' | 'ru',
): Promise<void> {
  const form = { account: taken.account.toUpperCase(), password, agreePolicy: true, language } as const;
  const again = await call(endpoints.signup, { body: form });
  book.note('signup', 'journey', again.ok && 'the same address, in capitals, gets a second account');
  const unknown = await call(endpoints.login, { body: body(invented()) });
  book.note('login', 'errors', refusedWith('invalidCredentials', unknown, 'for an address without an account'));
  const short = await call(endpoints.signup, { body: { ...form, account: invented().account, password: '12345' } });
  book.note('signup', 'input', refusedWith('invalidRequest', short, 'with a password of five characters'));
}

/** How many wrong passwords in a row must be slowed down. */
const guesses = 40;

/** Guesses the password of an account; last, because it may block the account or this network for a while. */
export async function guessPasswords({ call, book }: Backend, account: string): Promise<void> {
  let reason = 'invalidCredentials';
  for (let count = 0; count < guesses && reason === 'invalidCredentials'; count += 1) {
    const reply = await call(endpoints.login, { body: { account, password: `wrong ${count}`, type: 'email' } });
    if (reply.ok) {
      book.note('login', 'journey', 'accepts a wrong password');
      return;
    }
    ({ reason } = reply);
  }
  book.note(
    'login',
    'limit',
    reason === 'invalidCredentials' && `${guesses} wrong passwords in a row are not slowed down`,
  );
}
