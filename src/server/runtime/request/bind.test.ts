import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { endpoint } from '#contract/endpoint.ts';
import { type Refuse, throwRefusal } from './api-error.ts';
import { bind, type CallContext, type RequestContext } from './request-context.ts';

const result = v.object({});
const described = { method: 'POST', path: '/api/test', result } as const;
const open = endpoint({ ...described, name: 'open' });
const checkCode = endpoint({ ...described, name: 'checkCode', errors: ['wrongCode', 'codeExpired'] });
// the handlers below do not use the context
const call = {} as CallContext;

/** As a function that several handlers share. */
const raiseExpired = (refuse: Refuse<'codeExpired'>): never => refuse('codeExpired');
const raiseWrong = (context: RequestContext<'wrongCode'>): never => context.refuse('wrongCode', { triesLeft: 2 });

describe('A handler', () => {
  it('refuses with the errors that its endpoint lists, itself and by what it calls', async () => {
    const itself = bind(checkCode, (_, context) => context.refuse('wrongCode'));
    await expect(itself.run({}, call)).rejects.toMatchObject({ error: 'wrongCode', status: 400 });
    const shared = bind(checkCode, (_, context) => raiseExpired(context.refuse));
    await expect(shared.run({}, call)).rejects.toMatchObject({ error: 'codeExpired', status: 410 });
    const byContext = bind(checkCode, (_, context) => raiseWrong(context));
    await expect(byContext.run({}, call)).rejects.toMatchObject({ error: 'wrongCode', params: { triesLeft: 2 } });
  });

  it('refuses with errors that are common to all calls, which no endpoint lists', async () => {
    const busy = bind(open, (_, context) => context.refuse('serviceBusy', { waitSeconds: 3 }, 429));
    await expect(busy.run({}, call)).rejects.toMatchObject({ error: 'serviceBusy', status: 429 });
  });

  it('does not compile with an error that its endpoint does not list', async () => {
    // @ts-expect-error: `open` lists no errors
    const unlisted = bind(open, (_, context) => context.refuse('wrongCode'));
    // @ts-expect-error: `checkCode` does not list it
    const another = bind(checkCode, (_, context) => context.refuse('orderNotFound'));
    // @ts-expect-error: what it calls raises an error that `open` does not list
    const shared = bind(open, (_, context) => raiseExpired(context.refuse));
    // @ts-expect-error: the same, where the whole context is passed
    const byContext = bind(open, (_, context) => raiseWrong(context));
    // @ts-expect-error: no error has this name
    const unknown = bind(checkCode, (_, context) => context.refuse('wrongCodes'));
    for (const bound of [unlisted, another, shared, byContext, unknown]) {
      await expect(bound.run({}, call)).rejects.toThrow(/refused with|reading 'code'/);
    }
  });

  it('has a narrower `refuse` than the transport', () => {
    const typed: Refuse<'wrongCode'> = throwRefusal;
    // @ts-expect-error: it takes no other error
    expect(() => typed('codeExpired')).toThrow('refused with codeExpired');
  });
});
