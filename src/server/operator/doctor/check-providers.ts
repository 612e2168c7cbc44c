import { countryOf } from '#contract/postal-rules.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { openGateways } from '#server/runtime/wiring/open-gateways.ts';
import { openGoogle, openScriptCaptcha, openSms } from '#server/runtime/wiring/open-deps.ts';
import type { Deps } from '#server/deps.ts';
import { smtpMailer } from '#server/messages/mailer.ts';
import { currenciesOf, gatewayOf } from '#server/payments/chargeable.ts';
import type { Gateways } from '#server/payments/gateway.ts';
import { noteFinding, providerFinding, okFinding, wrongFinding, type Finding } from './finding.ts';

type Shop = Pick<Deps, 'db' | 'clock' | 'random' | 'env' | 'catalog' | 'log' | 'metrics'>;

/** Checks mail, SMS, and every configured gateway: whether it accepts this shop's credentials. */
export async function checkProviders(shop: Shop): Promise<Finding[]> {
  const gateways = openGateways(shop, null);
  const checking = Object.entries(gateways).flatMap(([name, { check }]) => (check ? [{ name, check }] : []));
  const [mail, sms, ...answers] = await Promise.all([
    lookAtMail(shop),
    lookAtSms(shop),
    ...checking.map(({ name, check }) => providerFinding(`gateway ${name}`, check)),
  ]);
  const down = new Set(checking.filter((_, index) => answers[index]?.state === 'wrong').map(({ name }) => name));
  const google = openGoogle(shop, null);
  const captcha = openScriptCaptcha(shop, null);
  return [
    ...mail,
    sms,
    ...answers,
    google
      ? okFinding('google', 'is offered')
      : noteFinding('google', 'is not offered, because GOOGLE_CLIENT_ID is not set'),
    captcha
      ? okFinding('captcha', 'a script captcha is offered, with proof of work as the alternative')
      : noteFinding('captcha', 'is proof of work only, because RECAPTCHA_SITE_KEY is not set'),
    ...shop.catalog.all().flatMap((brand) => lookAtMethods(brand, gateways, down)),
  ];
}

/** A missing setting is reported with the settings. */
async function lookAtMail({ env: { SMTP_URL } }: Shop): Promise<Finding[]> {
  if (SMTP_URL === undefined) return [];
  return [await providerFinding('mail', smtpMailer(SMTP_URL).check)];
}

async function lookAtSms(shop: Shop): Promise<Finding> {
  const sms = openSms(shop);
  if (!sms)
    return noteFinding('sms', 'no SMS can be sent, so the storefront offers no phone numbers and no codes by SMS');
  return providerFinding('sms', sms.check);
}

/** Which payment methods a brand configures, and whether they work; `down` are the gateways whose check failed. */
function lookAtMethods(brand: Brand, gateways: Gateways, down: ReadonlySet<string>): Finding[] {
  const what = `methods of ${brand.code}`;
  const shop = { brand, deps: { gateways } };
  const offered = brand.methods.filter((method) => currenciesOf(shop, method).length > 0);
  const idle = brand.methods.filter((method) => !offered.includes(method));
  const broken = offered.filter(({ gateway }) => down.has(gateway));
  const works = offered.filter((method) => !broken.includes(method));
  const nobodys = works.filter(({ gateway, details }) => gateway === 'transfer' && !details.receiver);
  return [
    works.length > 0
      ? okFinding(what, `${works.map(labelOf).join(', ')} can be charged`)
      : wrongFinding(what, 'no method can be charged, so nothing can be bought'),
    ...broken.map((method) =>
      wrongFinding(
        what,
        `${labelOf(method)} is offered, but its gateway does not work (see gateway ${method.gateway}), so customers who ` +
          'choose it cannot pay; mend the gateway, or remove the method from brand.yaml until then',
      ),
    ),
    ...notOffered(what, idle, gateways),
    ...works.filter(isWithoutAddress).map((method) => noteFinding(what, `${labelOf(method)} ${wantsAddress}`)),
    ...works.flatMap((method) => {
      const unknown = currenciesWithoutCountry(method, currenciesOf(shop, method));
      return unknown.length === 0 ? [] : [noteFinding(what, `${labelOf(method)} ${wantsCountry(unknown)}`)];
    }),
    ...(isOddCallback(brand) && works.some(({ gateway }) => gateway === 'mpesa')
      ? [
          wrongFinding(
            what,
            `Daraja refuses callback addresses with mpesa or safaricom in them; give ${brand.origin} another host`,
          ),
        ]
      : []),
    ...nobodys.map((method) =>
      wrongFinding(what, `${labelOf(method)} has no receiver of the money (details.receiver)`),
    ),
  ];
}

const labelOf = (method: Brand['methods'][number]) => `${method.code} (${method.gateway})`;

/** Why methods of a brand are not offered. */
function notOffered(what: string, idle: Brand['methods'], gateways: Gateways): Finding[] {
  const gone = idle.filter(({ gateway }) => !gatewayOf(gateways, gateway));
  const unfit = idle.filter((method) => !gone.includes(method));
  const reasons = [
    [gone, 'their gateway is not configured'],
    [unfit, 'their gateway accepts none of their currencies'],
  ] as const;
  return reasons
    .filter(([methods]) => methods.length > 0)
    .map(([methods, reason]) =>
      noteFinding(what, `not offered, because ${reason}: ${methods.map(labelOf).join(', ')}`),
    );
}

/** UseePay's SDK requires country, street, postal code and state of payers. */
const isWithoutAddress = ({ gateway, fields }: Brand['methods'][number]) =>
  gateway === 'useepay' && !fields.includes('address');
const wantsAddress =
  'asks for no address, and UseePay wants country, street, postal code and state of payers; ' +
  'add address to its fields in brand.yaml, or have UseePay confirm that your account does without';

/** The country of an address is derived from the currency, which several countries may share. */
const currenciesWithoutCountry = ({ gateway, fields }: Brand['methods'][number], currencies: readonly string[]) =>
  gateway === 'useepay' && fields.includes('address')
    ? currencies.filter((currency) => countryOf(currency) === undefined)
    : [];
const wantsCountry = (currencies: readonly string[]) =>
  `sends no country with the addresses of payers in ${currencies.join(', ')}, which many countries share; have UseePay ` +
  'confirm that your account does without';

const isOddCallback = ({ origin }: Brand) => /m-?pesa|safaricom/i.test(origin);
