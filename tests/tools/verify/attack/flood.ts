import type { Database } from '#server/db/connect.ts';
import { Refused } from '#tests/fixtures/shop-api.ts';
import type { ProcessUnderTest } from '../server-under-test.ts';

type Say = (line: string) => void;

export type Flood = (shop: ProcessUnderTest, db: Database, say: Say) => Promise<void>;

export const lumen = ({ server }: ProcessUnderTest) => server.origin;

export const customersOf = ({ customers }: ProcessUnderTest, brand: string) => customers.get(brand) ?? [];

export function assertAtMost(what: string, seen: number, most: number): void {
  if (seen > most) throw new Error(`${what}: ${seen}, and the limit is ${most}`);
}

/** 0 for success, or the error code of the refusal. */
export async function codeOf(call: Promise<unknown>): Promise<number> {
  try {
    await call;
    return 0;
  } catch (error) {
    if (error instanceof Refused) return error.code;
    throw error;
  }
}

/** Repeats a call, with 16 at once, and counts the results by code; 0 is success. */
export async function repeated(times: number, call: (n: number) => Promise<unknown>): Promise<Record<string, number>> {
  const codes: Record<string, number> = {};
  let next = 0;
  const worker = async () => {
    while (next < times) {
      const code = await codeOf(call(next++));
      codes[code] = (codes[code] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return codes;
}

export const formatCodes = (codes: Record<string, number>) =>
  Object.entries(codes)
    .map(([code, times]) => `${code === '0' ? 'ok' : code} x ${times}`)
    .join(', ');
