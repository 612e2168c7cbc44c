/**
 * `npm run verify:reader`: signs up, buys by Pix and reads the account with Firefox and Orca, by the keyboard
 * only. Prints everything that Orca says, and fails if it does not say what a customer has to know. Needs Debian's
 * packages of Orca (`screenReaderPackages`).
 */
import { freshAccount, goodPassword, registerCustomer } from '#tests/fixtures/customer.ts';
import { startServer } from '#tests/fixtures/server-process.ts';
import { waitingPix } from '#tests/fixtures/waiting-pix.ts';
import { openScreenReader, type ScreenReader } from './screen-reader/orca.ts';

type Journey = (shop: { lumen: string; mego: string }) => Promise<[string, (reader: ScreenReader) => Promise<void>]>;

const logIn = async (reader: ScreenReader, account: string) => {
  await reader.tabTo(/^Email editable/);
  await reader.type(account);
  await reader.tabTo(/^Password password text/);
  await reader.type(goodPassword);
  await reader.press('Return');
};

const journeys: Readonly<Record<string, Journey>> = {
  'sign up': async ({ mego }) => [
    `${mego}/register?language=en`,
    async (reader) => {
      await reader.tabTo(/^Create account push button/);
      await reader.press('Return');
      // the field of the error has the focus
      await reader.hears(/^Enter your email address/);
      await reader.type(freshAccount());
      await reader.tabTo(/^Password password text/);
      await reader.hears(/at least 6 characters/);
      await reader.type(goodPassword);
      await reader.tabTo(/^Repeat password password text/);
      await reader.type(goodPassword);
      await reader.tabTo(/Terms of Use and the Privacy Policy check box not checked required/);
      await reader.hears(/^Accept our Terms/);
      await reader.press('space');
      await reader.hears(/^checked/);
      await reader.tabTo(/^Create account push button/);
      await reader.press('Return');
      await reader.hears(/^Plans and prices · Mego/);
    },
  ],
  'log in and choose Pix': async ({ lumen }) => {
    const { account } = await registerCustomer(lumen);
    return [
      `${lumen}/login?language=en&return=%2Fpayment%3FplanId%3D101`,
      async (reader) => {
        await logIn(reader, account);
        await reader.hears(/^Payment · Lumen/);
        await reader.tabTo(/selected radio button/);
        // Orca's key to the next radio button
        await reader.press('r');
        await reader.hears(/^Pix/);
        await reader.press('space');
        await reader.hears(/selected/);
        await reader.tabTo(/^First name.* entry required/);
        await reader.type('Ana');
        await reader.tabTo(/^Last name/);
        await reader.type('Souza');
        await reader.tabTo(/^CPF or CNPJ entry required/);
        await reader.type('52998224725');
        await reader.press('Return');
        await reader.hears(/^Your payment · Lumen/);
        await reader.reads(
          /^Pay with Pix heading level 1/,
          /^R\$18\.90/,
          /^Code valid for/,
          /^Copy Pix code/,
          /recipient/,
        );
      },
    ];
  },
  'pay by Pix': async ({ lumen }) => {
    const customer = await registerCustomer(lumen);
    const { login, bankUrl } = await waitingPix(customer);
    return [
      `${lumen}${login}&language=en`,
      async (reader) => {
        await logIn(reader, customer.account);
        await reader.hears(/^Your payment · Lumen/);
        await reader.tabTo(/^Copy Pix code push button/);
        await reader.press('Return');
        await reader.hears(/^Copied/);
        await fetch(bankUrl, { method: 'POST', body: new URLSearchParams({ action: 'pay' }) });
        await reader.hears(/^Payment received/);
        await reader.open(`${lumen}/account`);
        await reader.hears(/^Finished loading .*account/);
        await reader.reads(/heading level 1/, /Your access/, /Monthly/, /Your details/);
        await reader.open(`${lumen}/orders`);
        await reader.hears(/^Finished loading .*orders/);
        await reader.reads(/heading level 1/, /Paid/);
      },
    ];
  },
};

const selected = process.argv.slice(2);
const server = await startServer();
const shop = { lumen: server.brandOrigin('lumen'), mego: server.brandOrigin('mego') };
try {
  for (const [name, prepare] of Object.entries(journeys)) {
    if (selected.length > 0 && !selected.some((part) => name.includes(part))) continue;
    const [url, walk] = await prepare(shop);
    const reader = await openScreenReader(url);
    try {
      await walk(reader);
      console.info(`\n${name}: passed\n\n${reader.transcript()}`);
    } catch (error) {
      process.exitCode = 1;
      console.info(`\n${name}: FAILED\n\n${reader.transcript()}\n\n${String(error)}`);
    } finally {
      await reader.close();
    }
  }
} finally {
  await server.dispose();
}
