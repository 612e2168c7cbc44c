import * as v from 'valibot';
import type { App } from '#server/runtime/request/request-context.ts';

/** Codes that calls over HTTP were refused with since they were forgotten last. */
const refused = new Set<number>();

const refusalSchema = v.object({ errCode: v.number() });

/** The same app, whose refusals are noted. */
export function recordRefusals(app: App): App {
  const { fetch } = app;
  app.fetch = async (...request) => {
    const answer = await fetch(...request);
    if (answer.status < 400 || !answer.headers.get('content-type')?.startsWith('application/json')) return answer;
    const text = await answer.clone().text();
    // what is asked by HEAD is answered without a word
    const told = v.safeParse(refusalSchema, text === '' ? {} : JSON.parse(text));
    if (told.success) refused.add(told.output.errCode);
    return answer;
  };
  return app;
}

export const wasRefusedWith = (code: number): boolean => refused.has(code);

export function clearRefusedCodes(): void {
  refused.clear();
}
