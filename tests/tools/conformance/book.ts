import { aligned } from '../verify/report.ts';

/** What is checked about a call; the columns of the table. */
export const checks = {
  envelope: 'the answer is JSON with a code, and success and HTTP status agree',
  result: 'the result has the shape of the contract',
  errors: 'errors are known, expected of this call, and have their HTTP status',
  headers: 'the clock is sent, and no cache keeps what belongs to a customer',
  token: 'a customer’s call is refused without a valid token',
  proof: 'the token of a bound session needs a proof of its key for each call',
  input: 'invalid input is refused as such',
  key: 'a purchase needs its key, and the same key never buys twice',
  ownership: 'another customer’s things do not exist',
  limit: 'guessing is slowed down',
  money: 'amounts agree with each other',
  journey: 'the call does what it says',
} as const;
export type Check = keyof typeof checks;

const checkNames = Object.keys(checks) as Check[]; // as: the keys of a constant table

interface Noted {
  readonly call: string;
  readonly check: Check;
  readonly problem: string | undefined;
}

/** What was found about a backend. */
export interface Book {
  /** `problem` is undefined for a check that passed */
  note(call: string, check: Check, problem: string | false | undefined): void;
  readonly problems: readonly string[];
  table(): string;
  /** for machines that show test results (JUnit XML) */
  junit(): string;
}

export function openBook(): Book {
  const notes: Noted[] = [];
  const calls = () => [...new Set(notes.map(({ call }) => call))];
  const of = (call: string, check: Check) => notes.filter((one) => one.call === call && one.check === check);
  const problemsOf = (call: string, check: Check) => [
    ...new Set(of(call, check).flatMap(({ problem }) => (problem === undefined ? [] : [problem]))),
  ];
  const resultOf = (call: string, check: Check) => {
    if (of(call, check).length === 0) return '';
    return problemsOf(call, check).length > 0 ? 'WRONG' : 'ok';
  };
  return {
    note: (call, check, problem) => void notes.push({ call, check, problem: problem || undefined }),
    get problems() {
      const found = (call: string) =>
        checkNames.flatMap((check) => problemsOf(call, check).map((problem) => `${call}, ${check}: ${problem}`));
      return calls().flatMap(found);
    },
    table: () =>
      aligned([
        ['call', ...checkNames],
        ...calls().map((call) => [call, ...checkNames.map((check) => resultOf(call, check))]),
      ]),
    junit: () => {
      const suites = calls().map((call) => {
        const used = checkNames.filter((check) => of(call, check).length > 0);
        const cases = used.map((check) => caseOf(call, check, problemsOf(call, check)));
        return `<testsuite name="${call}" tests="${cases.length}">\n${cases.join('\n')}\n</testsuite>`;
      });
      return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`;
    },
  };
}

function caseOf(call: string, check: Check, problems: readonly string[]): string {
  const start = `<testcase classname="${call}" name="${escaped(checks[check])}"`;
  if (problems.length === 0) return `${start}/>`;
  return `${start}><failure>${escaped(problems.join('\n'))}</failure></testcase>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML allows no control characters but line ends and tabs. */
function escaped(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '').replaceAll(/[&<>"]/g, (letter) => entities[letter] ?? letter);
}
