import { userInfo } from 'node:os';
import { readSettings, BadEnvironment } from '#server/env.ts';
import {
  createCommandOutput,
  requireOption,
  OperatorError,
  type CommandContext,
  type OptionValues,
  type OutputFormat,
  type LocalContext,
  type ShopCommand,
  type Command,
} from './command.ts';
import type { Deps } from '#server/deps.ts';
import { commands } from './commands.ts';
import { openShop } from './open-shop.ts';
import { parseArgs } from 'node:util';

type Environment = Readonly<Record<string, string | undefined>>;
interface Surroundings extends Pick<LocalContext, 'clock' | 'print' | 'explain' | 'ask'> {
  /** replaces services of the settings, whatever the database is */
  readonly deps?: Partial<Omit<Deps, 'db' | 'clock'>> | undefined;
}

/** Runs a command of the operator. Returns the exit code: 1 for failure, 2 for wrong usage. */
export async function runOperatorCommand(
  args: readonly string[],
  environment: Environment,
  out: Surroundings,
): Promise<number> {
  const [first = '--help'] = args;
  const command = commandNamed(commands, args);
  if (!command) {
    const asked = first === '--help' || first === '-h';
    const about = isGroup(commands, first) ? overview(commands, first) : overview(commands);
    const words = args.filter((word) => !word.startsWith('-'));
    const isHelp = asked || (words.length === 1 && isGroup(commands, first));
    if (isHelp) out.print(about);
    else out.explain(`There is no command ${words.slice(0, 2).join(' ')}.\n\n${about}`);
    return isHelp ? 0 : 2;
  }
  return runForExitCode(command, out.explain, async () => {
    const { options, format, help } = readCall(command, args);
    if (help) {
      out.print(usage(command));
      return 0;
    }
    assertValidOptions(command, options);
    const { deps, ...rest } = out;
    const context = {
      ...rest,
      ...createCommandOutput(out, format),
      environment,
      get settings() {
        return readSettings(environment);
      },
    };
    if ('run' in command) return command.run(options, context);
    return workInShop(command, 'by' in command.options ? signed(options, environment) : options, context, deps);
  });
}

/** Adds the user's name for the audit record. */
function signed(given: OptionValues, environment: Environment): OptionValues {
  return { ...given, by: given['by']?.trim() || environment['SUDO_USER'] || userName() };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // a container may run as a numeric user without a name
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

async function workInShop(
  command: ShopCommand,
  given: OptionValues,
  context: CommandContext,
  replaced: Surroundings['deps'],
): Promise<void> {
  const { deps, close } = await openShop(context.settings, command);
  try {
    await command.inShop(given, { ...context, deps: { ...deps, ...replaced, clock: context.clock } });
  } finally {
    await close();
  }
}

interface Call {
  readonly command: Command;
  readonly options: OptionValues;
  readonly format: OutputFormat;
  readonly help: boolean;
}

const program = 'npm run --silent operator --';

/** The command that the first arguments name. */
function commandNamed(commands: readonly Command[], args: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name === args.slice(0, name.split(' ').length).join(' '));
}

/** Parses the arguments after a command's name. Throws for invalid ones. */
function readCall(command: Command, args: readonly string[]): Call {
  const { options, words = [], name } = command;
  const types = Object.entries(options).map(
    ([option, { value }]) => [option, { type: value === undefined ? 'boolean' : 'string' }] as const,
  );
  const own = { help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' }, csv: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({
    args: args.slice(name.split(' ').length),
    options: { ...Object.fromEntries(types), ...own },
    allowPositionals: words.length > 0,
  });
  const { help, json, csv, ...rest } = values;
  if (json === true && csv === true) throw new OperatorError('Give --json or --csv.', { badUsage: true });
  const named = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, String(value)]));
  const format: OutputFormat = json === true ? 'json' : csv === true ? 'csv' : 'text';
  const call = { command, format, help: help === true };
  if (call.help) return { ...call, options: named };
  if (positionals.length !== words.length) {
    throw new OperatorError(`Give ${words.map((word) => `<${word}>`).join(' ')}, and no more.`, { badUsage: true });
  }
  return {
    ...call,
    options: { ...named, ...Object.fromEntries(words.map((word, index) => [word, positionals[index]])) },
  };
}

/** Throws where a required option is missing or an option is unknown. */
function assertValidOptions({ options, words = [] }: Command, given: OptionValues): void {
  const known = new Set([...Object.keys(options), ...words]);
  const unknown = Object.keys(given).filter((name) => !known.has(name));
  if (unknown.length > 0) throw new OperatorError(`Unknown: --${unknown.join(', --')}.`, { badUsage: true });
  for (const [name, { required }] of Object.entries(options)) if (required) requireOption(given, name);
  for (const word of words) requireOption(given, word);
}

/** Runs the work of a command. Returns its exit code, or 1 for failure and 2 for wrong usage. */
async function runForExitCode(
  command: Command,
  explain: (line: string) => void,
  work: () => Promise<number | void>,
): Promise<number> {
  try {
    return (await work()) ?? 0;
  } catch (error) {
    const isBadUsage = isParseError(error) || (error instanceof OperatorError && error.badUsage);
    if (isBadUsage) explain(`${error.message}\n\n${usage(command)}`);
    else if (error instanceof OperatorError || error instanceof BadEnvironment) explain(error.message);
    else throw error;
    return isBadUsage ? 2 : 1;
  }
}

/** Errors of `parseArgs` have a code with this prefix, and a message that can be shown. */
function isParseError(error: unknown): error is Error {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

const groupOf = ({ name }: Command) => (name.includes(' ') ? (name.split(' ')[0] ?? '') : 'others');

/** The commands by group; only one group where it is named. */
function overview(commands: readonly Command[], only?: string): string {
  const groups = Map.groupBy(commands, groupOf);
  const shown = [...groups].filter(([group]) => only === undefined || group === only);
  const texts = shown.map(([group, members]) => {
    const lines = members.map((one) => `  ${[one.name, ...wordsOf(one)].join(' ').padEnd(34)} ${one.summary}`);
    return [`${group}:`, ...lines].join('\n');
  });
  const ends = [
    'Each has --help, and --json, which prints its results as lines of JSON. Lists have --csv.',
    'They work in the database of the shop, beside it; what changes something asks for --why and is kept (audit list).',
  ];
  return [`Usage: ${program} <command> [options]`, ...texts, ends.join('\n')].join('\n\n');
}

/** Whether any command begins with this word. */
const isGroup = (commands: readonly Command[], word: string): boolean =>
  commands.some(({ name }) => name.startsWith(`${word} `));

const wordsOf = ({ words = [] }: Command) => words.map((word) => `<${word}>`);

function usage(command: Command): string {
  const { name, summary, options } = command;
  const lines = Object.entries(options).map(([option, { required, value, summary: text }]) => {
    const left = value === undefined ? `--${option}` : `--${option} <${value}>`;
    return `  ${left.padEnd(26)} ${text}${required ? ', needed' : ''}`;
  });
  const call = [name, ...wordsOf(command), ...(lines.length > 0 ? ['[options]'] : [])].join(' ');
  return [
    `Usage: ${program} ${call}`,
    `  ${summary}`,
    '',
    ...lines,
    '  --json                     results as lines of JSON',
    '  --csv                      a list for a spreadsheet, with a header line',
  ].join('\n');
}
