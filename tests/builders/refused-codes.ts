import * as v from 'valibot';
import type { App } from '#server/runtime/request/request-context.ts';

/** The error codes of refused calls since the last `clearRefusedCodes`. */
const refused = new Set<number>();

const refusalSchema = v.object({ errCode: v.number() });

/** The same app, with a record of its refusals. */
export function recordRefusals(app: App): App {
  const { fetch } = app;
  app.fetch = async (...request) => {
    const answer = await fetch(...request);
    if (answer.status < 400 || !answer.headers.get('content-type')?.startsWith('application/json')) return answer;
    const text = await answer.clone().text();
    // the response to HEAD has no body
    const refusal = v.safeParse(refusalSchema, text === '' ? {} : JSON.parse(text));
    if (refusal.success) refused.add(refusal.output.errCode);
    return answer;
  };
  return app;
}

export const wasRefusedWith = (code: number): boolean => refused.has(code);

export function clearRefusedCodes(): void {
  refused.clear();
}
