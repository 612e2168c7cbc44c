import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Command } from '#server/operator/command.ts';
import { commands } from '#server/operator/commands.ts';
import { root } from '#tests/fixtures/source-tree.ts';

const folder = join(root, 'src/server/docs');

interface Example {
  readonly line: string;
  readonly command: Command | undefined;
  /** after the name of the command */
  readonly args: readonly string[];
}

/** The calls of the operator CLI in the code blocks of the guide, as a shell splits them. */
const examples: readonly Example[] = readdirSync(folder)
  .filter((file) => file.endsWith('.md'))
  .flatMap((file) => {
    const blocks = readFileSync(join(folder, file), 'utf8').match(/^ *```sh$[^]*?^ *```$/gm) ?? [];
    const lines = blocks
      .join('\n')
      .replaceAll(/\\\n\s*/g, '')
      .split('\n');
    return lines.flatMap((line) => {
      const words = /npm run (?:--silent )?operator -- *([a-z].*)/.exec(line)?.[1];
      return words === undefined ? [] : [exampleOf(`${file}: ${words}`, splitWords(words))];
    });
  });

/** Without comments and redirections. */
function splitWords(text: string): string[] {
  const call = text.replace(/ (?:#|\||>|2>) ?.*$/, (end) => (/["']/.test(end) ? end : ''));
  return (call.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map((word) => word.replaceAll(/["']/g, ''));
}

function exampleOf(line: string, words: readonly string[]): Example {
  const command = commands.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '));
  return { line, command, args: words.slice(command?.name.split(' ').length ?? 0) };
}

/** Every option that takes part in the output of each command, and in the record of each change. */
const common = new Set(['by', 'json', 'csv', 'help']);

function valuesOf({ options, words = [] }: Command, args: readonly string[]) {
  const types = Object.entries(options).map(
    ([option, { value }]) => [option, { type: value === undefined ? 'boolean' : 'string' }] as const,
  );
  const flags = { json: { type: 'boolean' }, csv: { type: 'boolean' }, help: { type: 'boolean' } } as const;
  const config = { options: { ...Object.fromEntries(types), ...flags }, allowPositionals: words.length > 0 };
  return parseArgs({ args: [...args], ...config });
}

/** Why the CLI would refuse a call; undefined if it would run. */
function refusalOf({ command, args }: Example): string | undefined {
  if (!command)
    return commands.some(({ name }) => name.startsWith(`${args.join(' ')} `)) ? undefined : 'no such command';
  try {
    const { values, positionals } = valuesOf(command, args);
    if ('help' in values) return undefined;
    const missing = Object.entries(command.options).filter(([name, { required }]) => required && !(name in values));
    if (missing.length > 0) return `without --${missing.map(([name]) => name).join(', --')}`;
    const count = command.words?.length ?? 0;
    return positionals.length === count ? undefined : `${positionals.length} words in place of ${count}`;
  } catch (error) {
    return String(error);
  }
}

describe('The examples of the operator CLI in the guide', () => {
  it('exist for every command, and for every option of it', () => {
    const missing = commands.flatMap((command) => {
      const own = examples.filter((example) => example.command === command && refusalOf(example) === undefined);
      if (own.length === 0) return [command.name];
      const shown = new Set(own.flatMap(({ args }) => Object.keys(valuesOf(command, args).values)));
      const options = Object.keys(command.options).filter((option) => !common.has(option) && !shown.has(option));
      return options.map((option) => `${command.name} --${option}`);
    });
    expect(missing).toEqual([]);
  });

  it('are calls that the CLI accepts', () => {
    const refused = examples.flatMap((example) => {
      const refusal = refusalOf(example);
      return refusal === undefined ? [] : [`${example.line} (${refusal})`];
    });
    expect(refused).toEqual([]);
  });
});
