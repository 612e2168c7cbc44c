import { renderUnicodeCompact } from 'uqr';
import type { Deps } from './deps.ts';

interface Place {
  readonly lan: string | undefined;
  readonly dev: boolean;
}

/** What the sandbox bank answers to these numbers; any later date and any code will do. */
const cards = [
  ['4242 4242 4242 4242', 'paid'],
  ['4000 0025 0000 3155', 'asks the bank first'],
  ['4000 0000 0000 0002', 'rejected'],
  ['4000 0000 0000 9995', 'insufficient funds'],
] as const;

/** What the operator reads when the shop has started. */
export function startBanner({ catalog, env }: Pick<Deps, 'catalog' | 'env'>, { lan, dev }: Place): string {
  const at = (host: string) => `http://${host}:${env.PORT}/`;
  const local = env.PUBLIC_ORIGIN ?? at('localhost');
  const phone = lan !== undefined && env.HOST === '0.0.0.0' ? at(lan) : undefined;
  const brands = catalog.all().map(({ name, hosts }) => `    ${name.padEnd(8)} ${hosts.map(at).join('  ')}`);
  return [
    '',
    `  Marquee is open${dev ? ' (development)' : ''}:  ${local}`,
    ...(phone ? [`  On a phone in this network:  ${phone}`, '', indent(renderUnicodeCompact(phone))] : []),
    '',
    '  Brands',
    ...brands,
    '',
    ...(env.SANDBOX ? sandboxLines(env.SMTP_URL === undefined ? at('localhost') : undefined) : []),
    `  Data: ${env.DATABASE_URL === undefined ? env.DATA_DIR : 'PostgreSQL'}. Stop with Ctrl-C.`,
    '',
    '',
  ].join('\n');
}

function sandboxLines(mailAt: string | undefined): string[] {
  return [
    ...(mailAt === undefined ? [] : [`  Mail that the shop sends:  ${mailAt}dev/outbox`, '']),
    '  Sandbox cards (any later date, any code)',
    ...cards.map(([number, answer]) => `    ${number}  ${answer}`),
    '',
    '  SANDBOX is on: the bank, the mailbox and Google are pretended, so anyone can sign in as anyone.',
    '  Set SANDBOX=false before customers come.',
    '',
  ];
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
