import { userInfo } from 'node:os';
import { readSettings } from '#server/env.ts';
import {
  createCommandOutput,
  type CommandContext,
  type OptionValues,
  type LocalContext,
  type ShopCommand,
} from './command.ts';
import type { Deps } from '#server/deps.ts';
import {
  assertValidOptions,
  commandNamed,
  runForExitCode,
  isGroup,
  overview,
  readCall,
  usage,
} from './command-line.ts';
import { commands } from './commands.ts';
import { openShop } from './open-shop.ts';

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
    out.explain(isHelp ? about : `There is no command ${words.slice(0, 2).join(' ')}.\n\n${about}`);
    return isHelp ? 0 : 2;
  }
  return runForExitCode(command, out.explain, async () => {
    const { options, json, help } = readCall(command, args);
    if (help) {
      out.explain(usage(command));
      return 0;
    }
    assertValidOptions(command, options);
    const { deps, ...rest } = out;
    const context = {
      ...rest,
      ...createCommandOutput(out, json),
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
