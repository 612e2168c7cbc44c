import { parseArgs } from 'node:util';
import { BadEnvironment, readSettings } from '../env.ts';
import { bindEmailCommand } from './bind-email.ts';
import { blockCommand, unblockCommand } from './block.ts';
import { need, OperatorError, type Command, type Desk, type Given } from './command.ts';
import { orphansCommand } from './orphans.ts';
import { proofCommand } from './proof.ts';
import { requireResetCommand } from './require-reset.ts';
import { reviewCommand } from './review.ts';
import { ssoKeyCommand } from './sso-key.ts';
import { ssoTokenCommand } from './sso-token.ts';
import { transfersCommand } from './transfers.ts';

const commands: readonly Command[] = [
  ssoKeyCommand,
  ssoTokenCommand,
  bindEmailCommand,
  requireResetCommand,
  blockCommand,
  unblockCommand,
  transfersCommand,
  proofCommand,
  reviewCommand,
  orphansCommand,
];

type Environment = Readonly<Record<string, string | undefined>>;
type Out = Pick<Desk, 'clock' | 'print' | 'explain'>;

/** Does what an operator asks for on the command line. Answers the exit code: 1 it cannot be done, 2 asked wrongly. */
export async function operate(args: readonly string[], environment: Environment, out: Out): Promise<number> {
  const [name = '--help', ...rest] = args;
  const command = commands.find((one) => one.name === name);
  if (!command) {
    const wanted = name === '--help' || name === '-h';
    out.explain(wanted ? overview() : `There is no command ${name}.\n\n${overview()}`);
    return wanted ? 0 : 2;
  }
  try {
    return await perform(command, rest, environment, out);
  } catch (error) {
    const isBadUsage = isParseError(error) || (error instanceof OperatorError && error.badUsage);
    if (isBadUsage) out.explain(`${error.message}\n\n${usage(command)}`);
    else if (error instanceof OperatorError || error instanceof BadEnvironment) out.explain(error.message);
    else throw error;
    return isBadUsage ? 2 : 1;
  }
}

async function perform(command: Command, args: string[], environment: Environment, out: Out): Promise<number> {
  const given = read(command, args);
  if (given['help'] !== undefined) {
    out.explain(usage(command));
    return 0;
  }
  for (const [name, { required }] of Object.entries(command.options)) if (required) need(given, name);
  await command.run(given, { ...out, settings: readSettings(environment) });
  return 0;
}

function read({ options, words = [] }: Command, args: string[]): Given {
  const texts = Object.keys(options).map((name) => [name, { type: 'string' }] as const);
  const { values, positionals } = parseArgs({
    args,
    options: { ...Object.fromEntries(texts), help: { type: 'boolean', short: 'h' } },
    allowPositionals: words.length > 0,
  });
  const named = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  if (named['help'] === undefined && positionals.length !== words.length) {
    throw new OperatorError(`Give ${words.map((word) => `<${word}>`).join(' ')}, and no more.`, { badUsage: true });
  }
  return { ...named, ...Object.fromEntries(words.map((word, index) => [word, positionals[index]])) };
}

/** What `parseArgs` throws has a code that begins so, and a message that can be shown. */
function isParseError(error: unknown): error is Error {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

function overview(): string {
  const lines = commands.map(({ name, says }) => `  ${name.padEnd(14)} ${says}`);
  return ['Usage: npm run --silent operator -- <command> [options]', '', ...lines, '', 'More: <command> --help'].join(
    '\n',
  );
}

function usage({ name, says, options, words = [] }: Command): string {
  const lines = Object.entries(options).map(([option, { required, value, says: text }]) => {
    const left = `--${option} <${value}>`;
    return `  ${left.padEnd(26)} ${text}${required ? ', needed' : ''}`;
  });
  const call = [name, ...words.map((word) => `<${word}>`), ...(lines.length > 0 ? ['[options]'] : [])].join(' ');
  return [`Usage: npm run --silent operator -- ${call}`, `  ${says}`, '', ...lines].join('\n');
}
