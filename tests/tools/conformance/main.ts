import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { capabilities } from '#contract/capabilities.ts';
import { reasonOf } from './backend.ts';
import { checkConformance } from './conformance.ts';
import { checks } from './book.ts';

/**
 * `npm run conformance -- --api https://shop.example`: checks a backend against the contract. Exits with 1 if something
 * differs, and with 2 for wrong arguments.
 *
 * - `--level buyByRedirect` checks one level and those that it needs; may be repeated. Without it, those that the backend
 *   names as `capabilities`, or all
 * - `--account ana@example.com:password`, twice: accounts to use where a sign-up needs a code
 * - `--junit result.xml` writes the result for other programs
 */
const argumentsSchema = v.object({
  api: v.pipe(v.string(), v.url(), v.regex(/^https?:/)),
  level: v.optional(v.array(v.picklist(capabilities))),
  account: v.optional(v.pipe(v.array(v.pipe(v.string(), v.regex(/^[^:]+:.+$/))), v.length(2))),
  junit: v.optional(v.string()),
});

const usage = `npm run conformance -- --api https://shop.example [--level ${capabilities.join('|')}] [--account a@example.com:password --account b@example.com:password] [--junit result.xml]`;

function readArguments() {
  const many = { type: 'string', multiple: true } as const;
  const options = { api: { type: 'string' }, level: many, account: many, junit: { type: 'string' } } as const;
  try {
    return v.parse(argumentsSchema, parseArgs({ options }).values);
  } catch {
    console.info(usage);
    return process.exit(2);
  }
}

const { api, level: levels, account: named, junit } = readArguments();
const accounts = (named ?? []).map((one) => {
  const at = one.indexOf(':');
  return { account: one.slice(0, at), password: one.slice(at + 1) };
});
/** In milliseconds, as in the storefront. */
const timeoutMs = 60_000;
const send = (path: string, request: RequestInit) =>
  fetch(new URL(path, api), { ...request, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });

const book = await checkConformance({ send, origin: new URL(api).origin, levels, accounts }).catch((error: unknown) => {
  console.info(`${api} does not answer: ${reasonOf(error)}`);
  return process.exit(1);
});
console.info(`${book.table()}\n`);
for (const [name, meaning] of Object.entries(checks)) console.info(`${name}: ${meaning}`);
const { problems } = book;
console.info(problems.length === 0 ? '\nNothing differs.' : `\n${problems.length} differences:\n`);
for (const problem of problems) console.info(problem);
if (junit !== undefined) writeFileSync(junit, book.junit());
process.exitCode = problems.length === 0 ? 0 : 1;
