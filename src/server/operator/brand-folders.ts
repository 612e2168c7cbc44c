import { join, normalize } from 'node:path';
import { differencesOf, targetOf, describeDifferences, type Differences } from '#server/brand/folder/differences.ts';
import { copiedParts } from '#server/brand/folder/folder-files.ts';
import { readBrandFolder, checkFolder, type FindOutside } from '#server/brand/folder/read-folder.ts';
import type { Problem } from '#server/brand/folder/read-yaml.ts';
import type { BrandRows } from '#server/brand/folder/rows.ts';
import { findConflicts, storedRows } from '#server/brand/folder/stored-rows.ts';
import { writeRows } from '#server/brand/folder/write-rows.ts';
import type { Database } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { auditOptions, writeAudit } from './audit.ts';
import { describeAffectedCustomers } from './affected-customers.ts';
import { openGatewayCheck } from './brand-gateways.ts';
import {
  hasOption,
  requireOption,
  OperatorError,
  type Command,
  type OptionValues,
  type LocalCommand,
  type ShopCommand,
  type ShopContext,
} from './command.ts';
import { counted, originOnThisMachine } from './wording.ts';

/** Without `--yes` the command changes nothing and requires no reason. */
export const changeOptions = {
  yes: { summary: 'writes the changes; without it, only shows the differences' },
  why: { value: auditOptions.why.value, summary: `with --yes: ${auditOptions.why.summary}` },
  by: auditOptions.by,
} as const satisfies Command['options'];

/** Reports all problems of a brand's folder at once, by file and line, before a database is involved. */
export const checkBrandCommand: LocalCommand = {
  name: 'brand check',
  summary: 'checks the folder of a brand and lists problems by file and line',
  words: ['folder'],
  options: {},
  run: async (given, { print, explain }) => {
    const folder = requireOption(given, 'folder');
    const { rows, counts } = await goodFolder(folder, print, (file) => copiedParts(folder, file));
    explain(`${rows.brand.name} can be applied: ${counts}.`);
  },
};

export const applyBrandCommand: ShopCommand = {
  name: 'brand apply',
  summary: 'applies the folder of a brand; shows the differences first',
  words: ['folder'],
  options: changeOptions,
  mayBeNew: true,
  inShop: async (given, shop) => {
    const folder = requireOption(given, 'folder');
    const { rows } = await goodFolder(folder, shop.explain);
    const { code, origin } = rows.brand;
    await changeBrand(given, shop, { command: 'brand apply', code, wantedOf: () => rows });
    const where = originOnThisMachine(origin, shop.settings.PORT);
    if (hasOption(given, 'yes')) shop.explain(`A running shop shows it within 30 seconds, at ${where}`);
  },
};

/** The path of a brand's documents relative to its folder, where they are outside of it. */
function sharedDocuments(folder: string): string | undefined {
  const place = readBrandFolder(folder).file?.documents;
  return place !== undefined && normalize(place).startsWith('..') ? normalize(place) : undefined;
}

/** Previews a brand before it is applied to a database, and follows changes of its folder. */
export const previewBrandCommand: LocalCommand = {
  name: 'brand preview',
  summary: 'serves the storefront from the folder of a brand, in memory, and reloads on changes',
  words: ['folder'],
  options: { port: { value: 'number', summary: '3100 without it' } },
  run: async (given, { explain }) => {
    const folder = requireOption(given, 'folder');
    const port = Number(given['port'] ?? 3100);
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new OperatorError('--port is a number up to 65535.');
    const { rows } = await goodFolder(folder, explain);
    // imported only here, because no other command needs the whole shop
    const { openPreview } = await import('./preview-shop.ts');
    const onChange = (problems: readonly Problem[]) => {
      for (const problem of problems) explain(lineOf(folder, problem));
      explain(problems.some(({ remark }) => !remark) ? 'Not shown yet.' : 'Shown.');
    };
    const shared = sharedDocuments(folder);
    const beside = shared === undefined ? [] : [join(folder, shared)];
    const { origin, close } = await openPreview(folder, rows, { port, onChange, beside });
    explain(
      `${rows.brand.name} is at ${origin} until Ctrl-C; mail is at ${origin}/dev/outbox. No database is touched.`,
    );
    await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
    await close();
  },
};

interface Change {
  readonly command: string;
  readonly code: string;
  /** the wanted rows, from the current ones */
  readonly wantedOf: (now: BrandRows | undefined) => BrandRows;
}

/** Shows what would change and, with `--yes`, changes it in one transaction with its audit record. */
export async function changeBrand(
  given: OptionValues,
  { deps, explain, print }: ShopContext,
  change: Change,
): Promise<void> {
  const isSaid = hasOption(given, 'yes');
  if (isSaid) requireOption(given, 'why');
  const lines = await deps.db.transaction((tx) => changeRows(tx, given, change, deps));
  for (const line of lines) print(line);
  if (isSaid) await deps.catalog.refresh();
  if (lines.length === 0) explain('Nothing differs.');
  else if (isSaid) explain('Written.');
  else explain('Nothing is written yet: add --yes and --why.');
}

async function changeRows(
  tx: Database,
  given: OptionValues,
  { command, code, wantedOf }: Change,
  deps: Pick<Deps, 'clock' | 'random'>,
): Promise<string[]> {
  const now = await storedRows(tx, code);
  const wanted = wantedOf(now);
  const wrong = await findConflicts(tx, wanted, now);
  if (wrong.length > 0) throw new OperatorError(wrong.join('\n'));
  const isSaid = hasOption(given, 'yes');
  const differences = isSaid ? await writeRows(tx, wanted, now) : differencesOf(now, targetOf(now, wanted));
  const affected = await describeAffectedCustomers(tx, code, differences.parts);
  const lines = [...describeDifferences(differences), ...affected];
  if (isSaid && lines.length > 0) {
    await writeAudit(tx, given, { command, brand: code, subject: code, detail: countsOf(differences) }, deps);
  }
  return lines;
}

function countsOf({ brand, hosts, pictures, parts }: Differences): Record<string, number> {
  const all = [brand, hosts, pictures, ...Object.values(parts)];
  const sum = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0);
  // a plan or method that is sold no longer stays as a row
  const retired = [...parts.plans.changed, ...parts.methods.changed].filter(
    ({ before, after }) => before.active && !after.active,
  );
  return {
    added: sum(all.map(({ added }) => added.length)),
    changed: sum(all.map(({ changed }) => changed.length)) - retired.length,
    removed: sum(all.map(({ removed }) => removed.length)) + retired.length,
  };
}

/** The rows of a valid folder; prints remarks, and ends the command on errors. */
async function goodFolder(folder: string, say: (line: string) => void, more: FindOutside = () => []) {
  const ofGateways = await openGatewayCheck();
  const { file, rows, problems } = await checkFolder(folder, (read) => [...ofGateways(read), ...more(read)]);
  for (const problem of problems) say(lineOf(folder, problem));
  const faults = problems.filter(({ remark }) => !remark).length;
  const later = ' What settings mean together, documents and pictures are checked once these are mended.';
  if (!rows) throw new OperatorError(`${folder} has ${counted(faults, 'fault')}.${file ? '' : later}`);
  const { plans, methods, documents, pictures } = rows;
  const counts = [
    counted(plans.length, 'plan'),
    counted(methods.length, 'payment method'),
    counted(documents.length, 'document'),
    counted(pictures.length, 'picture'),
  ].join(', ');
  return { rows, counts };
}

/** In the format of editors and compilers, so that terminals link the file. */
export function lineOf(folder: string, { file, line = 1, message, remark }: Problem): string {
  return `${folder.replace(/\/+$/, '')}/${file}:${line}: ${remark ? 'remark: ' : ''}${message}`;
}
