import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runOperatorCommand } from '#server/operator/operator.ts';

/** A picture that a brand folder may contain. */
export const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#0a7" d="M0 0h9v9H0z"/></svg>';

interface CommandResult {
  readonly code: number;
  /** the printed lines */
  readonly out: readonly string[];
  readonly told: string;
}

export interface BrandFolder {
  /** the brand folder */
  readonly folder: string;
  /** the data folder of the shop */
  readonly data: string;
  /** runs an operator command against this data folder */
  run(...args: string[]): Promise<CommandResult>;
  /** changes a file of the brand folder */
  edit(file: string, change: (text: string) => string): Promise<void>;
  /** writes a file of the brand folder */
  put(file: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

/** A folder that `brand new` wrote for the brand acme, and the data folder of an empty shop. */
export async function aBrandFolder(
  environment: Record<string, string> = {},
  ...answers: string[]
): Promise<BrandFolder> {
  const home = await mkdtemp(join(tmpdir(), 'marquee-brand-'));
  const [folder, data] = [join(home, 'acme'), join(home, 'data')];
  const run = async (...args: string[]): Promise<CommandResult> => {
    const out: string[] = [];
    let told = '';
    const code = await runOperatorCommand(
      args,
      { DATA_DIR: data, SIGNING_SECRET: 'a secret of the tests that is long enough', ...environment },
      { clock: Date.now, print: (line) => void out.push(line), explain: (line) => void (told += `${line}\n`) },
    );
    return { code, out, told };
  };
  const created = await run('brand', 'new', folder, '--name', 'Acme TV', ...answers);
  if (created.code !== 0) throw new Error(created.told);
  const put = async (file: string, text: string) => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  };
  return {
    folder,
    data,
    run,
    edit: async (file, change) => put(file, change(await readFile(join(folder, file), 'utf8'))),
    put,
    remove: () => rm(home, { recursive: true, force: true }),
  };
}
