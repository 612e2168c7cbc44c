// Runs every check in order and prints the results. The last line is `N passed, N failed`. Script runners
// (concurrently, npm-run-all) know exit codes only; this adds up the tests of two test runners.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './chromium.ts';
import { missingEngines } from '../tests/engines/debian-engines.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = join(root, '.cache/reports');
const shownLines = 60;
const linesOfError = 25;

/** A command without a report counts as one check, by its exit code. */
const one = ({ status }) => ({ passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 });

const readReport = (name) => JSON.parse(readFileSync(join(reports, name), 'utf8'));

/** A suite that fails outside of its tests, or finds none, is a failure although no test failed. */
const suite = (counts, status) => ({ ...counts, failed: counts.failed || (status === 0 && counts.passed > 0 ? 0 : 1) });

function vitestCounts(name) {
  return ({ status }) => {
    const { numPassedTests, numFailedTests, numPendingTests, success, testResults } = readReport(name);
    // a file whose setup fails has no failed test, and must not depend on how the process ends
    const failed = numFailedTests || (success ? 0 : 1);
    const errors = testResults.flatMap((file) => [
      ...(file.message ? [`${file.name}\n${file.message}`] : []),
      ...file.assertionResults
        .filter((test) => test.failureMessages.length > 0)
        .map((test) => `${file.name}: ${test.fullName}\n${test.failureMessages.join('\n')}`),
    ]);
    return { ...suite({ passed: numPassedTests, failed, skipped: numPendingTests }, status), errors };
  };
}

/** The tests of a suite and of the suites in it. */
const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)];

function playwrightCounts({ status }) {
  const { stats, suites, errors } = readReport('browser.json');
  const failed = suites.flatMap(specsOf).filter(({ ok }) => !ok);
  const messages = failed.map(({ file, title, tests }) => {
    const reasons = tests.flatMap(({ results }) => results.flatMap((result) => result.errors));
    return `${file}: ${title}\n${reasons.map(({ message }) => message).join('\n')}`;
  });
  const counts = { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
  return { ...suite(counts, status), errors: [...messages, ...errors.map(({ message }) => message)] };
}

const vitest = (title, ...args) => {
  const report = `${title.split(' ')[0]}.json`;
  const output = ['--reporter=default', '--reporter=json', `--outputFile.json=${join(reports, report)}`];
  return { title, command: ['vitest', 'run', ...args, ...output], counts: vitestCounts(report) };
};

const types = (project) => ({ title: `types of ${project}`, command: ['tsc', '-p', project], counts: one });

const projects = [
  'src/contract',
  'src/server',
  'src/sandbox',
  'src/web/tsconfig.app.json',
  'src/web/tsconfig.test.json',
  'src/sw',
  '.',
];

/** `--slow` runs the tests with that tag, which are skipped otherwise (tests/README.md). */
const slow = process.argv.includes('--slow');

const tagged = `--tagsFilter=${slow ? '' : '!'}slow`;
// a test waits for half of its time, so three workers fit two cores
const api = vitest('api tests', '--project', 'api', tagged, '--maxWorkers=3');
// real purchases in engines that are years old (tests/README.md)
const engines = { ...vitest('engines', '--project', 'engines', tagged), opensBrowsers: true };

const chosen = slow ? '--grep=@slow' : '--grep-invert=@slow';
const browserTests = {
  title: 'browser tests',
  command: ['playwright', 'test', '-c', 'tests/e2e/playwright.config.ts', chosen, '--reporter=list,json'],
  counts: playwrightCounts,
  opensBrowsers: true,
  // else each of its workers would search for one
  env: () => ({ CHROMIUM_PATH: findChromium() ?? '' }),
};

/**
 * Stages run one after the other. The lanes of a stage run in parallel, because none of them keeps two cores busy; the
 * steps of a lane run in sequence.
 */
const stages = [
  [
    [
      { title: 'format', command: ['oxfmt', '--check'], counts: one },
      { title: 'lint', command: ['oxlint'], counts: one },
      { title: 'extracted messages', command: ['lingui', 'check', 'sync', '--clean'], counts: one },
      { title: 'translations', command: ['lingui', 'check', 'missing'], counts: one },
      ...projects.map(types),
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
      // in one run, because each takes seconds to start
      vitest('unit tests, structure, budgets', '--project', 'unit', '--project', 'tree', '--maxWorkers=2'),
    ],
  ],
  [[api]],
  [[engines]],
  [[browserTests]],
];

/** Mostly waits for the network, so it starts at once, and only steps that open a browser wait for it. */
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
    // No report: the program ended before it could write one.
    return { passed: 0, failed: 1, skipped: 0, note: error.message };
  }
}

function printResult(title, counts, seconds, output) {
  const { passed, failed, skipped, note, errors = [] } = counts;
  const numbers = [`${passed} ok`, failed && `${failed} FAILED`, skipped && `${skipped} skipped`].filter(Boolean);
  console.log(`${failed ? '✗' : '✓'} ${title.padEnd(30)} ${seconds.toFixed(1).padStart(6)} s   ${numbers.join(', ')}`);
  if (!failed) return;
  const lines = `${output}${note ? `\n${note}` : ''}`.trimEnd().split('\n').slice(-shownLines);
  // last, because CI shows the end of the output only
  const reasons = errors.flatMap((error) => [...error.split('\n').slice(0, linesOfError), '']);
  console.log([...lines, '', ...reasons].map((line) => `    ${line}`).join('\n'));
}

const selected = process.argv.slice(2).filter((word) => word !== '--slow');
const isSelected = ({ title }) => !selected.length || selected.some((start) => title.startsWith(start));
const total = { passed: 0, failed: 0 };
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const env = {
  PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, 'browser.json'),
  // each of the hundred servers of a run would compile the same files again
  NODE_COMPILE_CACHE: join(root, '.cache/code'),
  // most allocations of a test are short-lived: a larger young generation is collected less often
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
  printResult(step.title, counts, (performance.now() - started) / 1000, result.output);
}

async function follow(lane) {
  for (const step of lane.filter(isSelected)) await check(step);
}

// `--slow` expects them to be installed (package.json)
const installed = slow || !isSelected(install) ? undefined : check(install);
for (const lanes of slow ? [[[api]], [[engines]], [[browserTests]]] : stages) await Promise.all(lanes.map(follow));
await installed;

// their tests count as skipped, without a name or a reason
if (!slow && isSelected({ title: 'engines' })) for (const line of missingEngines()) console.log(`- ${line}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed || !total.passed ? 1 : 0;
