// Checks everything, in order, and says how it went. The last line is `N passed, N failed`. Ours, because runners of
// scripts (concurrently, npm-run-all) know exit codes, and this adds up the tests of two test runners.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './chromium.ts';
import { missingEngines } from '../tests/engines/debian-engines.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = join(root, '.cache/reports');
const shownLines = 150;

/** A program that speaks by its exit code is one check. */
const one = ({ status }) => ({ passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 });

const readReport = (name) => JSON.parse(readFileSync(join(reports, name), 'utf8'));

/** A suite that breaks before, between or after its tests (or finds none) is a failure, though no test failed. */
const suite = (counts, status) => ({ ...counts, failed: counts.failed || (status === 0 && counts.passed > 0 ? 0 : 1) });

function vitestCounts(name) {
  return ({ status }) => {
    const { numPassedTests, numFailedTests, numPendingTests, success } = readReport(name);
    // a file whose setup fails has no failed test, and must not depend on how the process ends
    const failed = numFailedTests || (success ? 0 : 1);
    return suite({ passed: numPassedTests, failed, skipped: numPendingTests }, status);
  };
}

function playwrightCounts({ status }) {
  const { expected, unexpected, flaky, skipped } = readReport('browser.json').stats;
  return suite({ passed: expected, failed: unexpected + flaky, skipped }, status);
}

const vitest = (title, ...args) => {
  const report = `${title.split(' ')[0]}.json`;
  const output = ['--reporter=default', '--reporter=json', `--outputFile.json=${join(reports, report)}`];
  return { title, command: ['vitest', 'run', ...args, ...output], counts: vitestCounts(report) };
};

const types = (room) => ({ title: `types of ${room}`, command: ['tsc', '-p', room], counts: one });

const rooms = [
  'src/contract',
  'src/server',
  'src/sandbox',
  'src/web/tsconfig.app.json',
  'src/web/tsconfig.test.json',
  'src/sw',
  '.',
];

/** `--slow` runs the tests with that tag, which are left out otherwise (tests/README.md). */
const proof = process.argv.includes('--slow');

// a test waits for half of its time, so two cores carry three workers
const api = vitest('api tests', '--project', 'api', `--tagsFilter=${proof ? '' : '!'}proof`, '--maxWorkers=3');

const chosen = proof ? '--grep=@slow' : '--grep-invert=@slow';
const stories = {
  title: 'browser tests',
  command: ['playwright', 'test', '-c', 'tests/e2e/playwright.config.ts', chosen, '--reporter=list,json'],
  counts: playwrightCounts,
  opensBrowsers: true,
  // else each of its workers would look for one
  env: () => ({ CHROMIUM_PATH: findChromium() ?? '' }),
};

/**
 * One stage after the other. The lanes of a stage run side by side, as none of them keeps two cores busy; the steps of a
 * lane wait for each other.
 */
const stages = [
  [
    [
      { title: 'format', command: ['oxfmt', '--check'], counts: one },
      { title: 'lint', command: ['oxlint'], counts: one },
      { title: 'extracted messages', command: ['lingui', 'check', 'sync', '--clean'], counts: one },
      { title: 'translations', command: ['lingui', 'check', 'missing'], counts: one },
      ...rooms.map(types),
    ],
    [
      { title: 'build', command: ['node', '.scripts/build.mjs'], counts: one },
      // the next version, which tests deploy
      {
        title: 'changed build',
        command: ['node', 'tests/fixtures/changed-build.ts'],
        counts: one,
        env: { NODE_ENV: 'production' },
      },
      // in one run, because each takes seconds to begin
      vitest('unit tests, structure, budgets', '--project', 'unit', '--project', 'tree', '--maxWorkers=2'),
    ],
  ],
  [[api]],
  // real purchases in engines of years ago (tests/README.md)
  [[{ ...vitest('engines', '--project', 'engines'), opensBrowsers: true }]],
  [[stories]],
];

/** Mostly waits for the network, so it begins at once, and only what opens a browser waits for it. */
const install = {
  title: 'browser and engines',
  command: ['node', '.scripts/setup.mjs', '--browser', '--engines'],
  counts: one,
};

function run([command, ...args], env) {
  const options = { cwd: root, env: { ...process.env, ...env }, maxBuffer: 2 ** 28 };
  return new Promise((done) => {
    execFile(command, args, options, (error, stdout, stderr) =>
      done({ status: error ? 1 : 0, output: `${stdout}${stderr}${error && !stderr ? error.message : ''}` }),
    );
  });
}

function countsOf(step, result) {
  try {
    return step.counts(result);
  } catch (error) {
    // No report: the program died before it could write one.
    return { passed: 0, failed: 1, skipped: 0, note: error.message };
  }
}

function tell(title, counts, seconds, output) {
  const { passed, failed, skipped, note } = counts;
  const numbers = [`${passed} ok`, failed && `${failed} FAILED`, skipped && `${skipped} skipped`].filter(Boolean);
  console.log(`${failed ? '✗' : '✓'} ${title.padEnd(30)} ${seconds.toFixed(1).padStart(6)} s   ${numbers.join(', ')}`);
  if (!failed) return;
  const lines = `${output}${note ? `\n${note}` : ''}`.trimEnd().split('\n').slice(-shownLines);
  console.log(lines.map((line) => `    ${line}`).join('\n'));
}

const wished = process.argv.slice(2).filter((word) => word !== '--slow');
const isWished = ({ title }) => !wished.length || wished.some((wish) => title.startsWith(wish));
const total = { passed: 0, failed: 0 };
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const env = {
  PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, 'browser.json'),
  // each of the hundred servers that a run starts would compile the same files again
  NODE_COMPILE_CACHE: join(root, '.cache/code'),
  // most of what a test allocates is dead a moment later: a larger nursery of the heap is collected less often
  NODE_OPTIONS: [process.env.NODE_OPTIONS, '--max-semi-space-size=64'].filter(Boolean).join(' '),
  NO_COLOR: '1',
};

async function check(step) {
  if (step.opensBrowsers) await installed;
  const started = performance.now();
  const result = await run(step.command, { ...env, ...(typeof step.env === 'function' ? step.env() : step.env) });
  const counts = countsOf(step, result);
  total.passed += counts.passed;
  total.failed += counts.failed;
  tell(step.title, counts, (performance.now() - started) / 1000, result.output);
}

async function follow(lane) {
  for (const step of lane.filter(isWished)) await check(step);
}

// who runs the proof has installed them (package.json)
const installed = proof || !isWished(install) ? undefined : check(install);
for (const lanes of proof ? [[[api]], [[stories]]] : stages) await Promise.all(lanes.map(follow));
await installed;

// their tests count as skipped, which says neither which nor why
if (!proof && isWished({ title: 'engines' })) for (const line of missingEngines()) console.log(`- ${line}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed || !total.passed ? 1 : 0;
