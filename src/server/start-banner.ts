import { renderUnicodeCompact } from 'uqr';
import type { Brand } from '#server/brand/catalog.ts';
import type { Deps } from './deps.ts';
import { currenciesOf } from '#server/payments/chargeable.ts';

interface Place {
  readonly lan: string | undefined;
  readonly dev: boolean;
}

/** How the sandbox bank responds to these numbers; any future date and any code are valid. */
const cards = [
  ['4242 4242 4242 4242', 'paid'],
  ['4000 0025 0000 3155', 'requires 3-D Secure'],
  ['4000 0000 0000 0002', 'rejected'],
  ['4000 0000 0000 9995', 'insufficient funds'],
] as const;

/** The message for the operator after the shop has started. */
export function startBanner(deps: Deps, { lan, dev }: Place): string {
  const { catalog, env } = deps;
  const at = (host: string) => `http://${host}:${env.PORT}/`;
  const phone =
    env.SANDBOX && lan !== undefined && [undefined, '0.0.0.0', '::'].includes(env.HOST) ? at(lan) : undefined;
  const places = ({ hosts, origin }: Brand) => (env.SANDBOX ? hosts.map(at).join('  ') : origin);
  const brands = catalog.all().map((brand) => `    ${brand.name.padEnd(8)} ${places(brand)}`);
  const mode = dev ? ' (development)' : '';
  return [
    '',
    `  Marquee is open${mode}:  ${publicAddress(deps) ?? at('localhost')}`,
    ...(phone ? [`  On a phone in this network:  ${phone}`, '', indent(renderUnicodeCompact(phone))] : []),
    '',
    '  Brands',
    ...brands,
    '',
    ...(env.SANDBOX ? sandboxLines(deps, at('localhost')) : productionLines(deps)),
    `  Data: ${env.DATABASE_URL === undefined ? env.DATA_DIR : 'PostgreSQL'}. Stop with Ctrl-C.`,
    '',
    '',
  ].join('\n');
}

/** The public origin of the default brand; undefined where that is this machine. */
function publicAddress({ catalog, env }: Deps): string | undefined {
  if (catalog.byCode(env.DEFAULT_BRAND)) return env.PUBLIC_ORIGIN;
  return catalog.all()[0]?.origin;
}

function sandboxLines({ env }: Deps, local: string): string[] {
  return [
    ...(env.SMTP_URL === undefined ? [`  Mail that the shop sends:  ${local}dev/outbox`, ''] : []),
    '  Sandbox cards (any later date, any code)',
    ...cards.map(([number, answer]) => `    ${number}  ${answer}`),
    '',
    '  SANDBOX is on: the bank, the mailbox and Google are simulated, so anyone can log in as anyone.',
    env.SANDBOX_PUBLIC
      ? '  SANDBOX_PUBLIC is on: they are reachable from the internet.'
      : '  They are reachable from this machine and private networks only.',
    '  Set SANDBOX=false for production.',
    '',
  ];
}

/** Problems of a production shop that its operator should see before customers do. */
function productionLines(deps: Deps): string[] {
  const { catalog, env } = deps;
  const [unserved, brands] = [catalog.unserved(), catalog.all()];
  const isDefaultMissing = brands.length > 0 && !catalog.byCode(env.DEFAULT_BRAND);
  const lines = [
    ...(unserved.length > 0
      ? [`  Not served, because they are demo brands and SANDBOX is off: ${unserved.join(', ')}.`]
      : []),
    ...(isDefaultMissing
      ? [
          `  DEFAULT_BRAND is ${env.DEFAULT_BRAND}, and there is no such brand: PUBLIC_ORIGIN and EXTRA_HOSTS lead nowhere.`,
          `  There are: ${brands.map(({ code }) => code).join(', ')}.`,
        ]
      : []),
    ...brands.flatMap((brand) => withoutGateway(deps, brand)),
    ...(deps.sms ? [] : ['  No SMS can be sent, so the storefront offers no phone numbers.']),
  ];
  return lines.length > 0 ? [...lines, ''] : [];
}

function withoutGateway(deps: Deps, brand: Brand): string[] {
  const idle = brand.methods.filter((method) => currenciesOf({ brand, deps }, method).length === 0);
  if (idle.length === 0) return [];
  const names = idle.map(({ code, gateway }) => `${code} (${gateway})`).join(', ');
  return [`  ${brand.name} does not offer these, because no gateway can charge them: ${names}.`];
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
