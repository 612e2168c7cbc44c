import type { Audit } from '../audit.ts';

/** Throws unless every customer saw the recorded status and each charge has one capture; prints the totals. */
export function assertExact({ findings, faults }: Audit, say: (line: string) => void): void {
  const sum = (count: 'charges' | 'captures') => findings.reduce((total, one) => total + one[count], 0);
  const ends = Object.entries(Object.groupBy(findings, ({ end }) => end)).map(([end, own]) => `${own.length} ${end}`);
  say(`${findings.length} purchases: ${ends.join(', ')}; ${sum('charges')} charges, ${sum('captures')} captures`);
  const wrong = findings.flatMap(({ purchase, faults: own }) => own.map((fault) => `${purchase.way.name}: ${fault}`));
  if (wrong.length + faults.length > 0) throw new Error([...wrong, ...faults].join('\n'));
}
