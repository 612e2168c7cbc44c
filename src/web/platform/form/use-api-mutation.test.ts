import { setupI18n } from '@lingui/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { login } from '#contract/auth.ts';
import { errorCode, type ErrorName } from '#contract/error-codes.ts';
import { configureApi } from '#web/platform/api/exchange.ts';
import { recordNetworkSuccess } from '#web/platform/api/network/network-state.ts';
import { installErrorEffects } from '#web/platform/api/perform.ts';
import { openBrowser } from '#web/platform/session/storage/test-browser.ts';
import { sendMutation, type MutationOptions } from './use-api-mutation.ts';

type Login = typeof login;
const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
const input = { body: { account: 'ana@example.com', type: 'email', password: 'secret-of-ana' } } as const;
let toasts: string[] = [];

configureApi({ base: 'https://shop.example' });
installErrorEffects({
  toast: ({ text }) => void toasts.push(text),
  navigate: () => undefined,
  endSession: () => undefined,
});
afterEach(() => {
  toasts = [];
  // else the next probe of the network comes when this browser is gone
  recordNetworkSuccess();
  vi.unstubAllGlobals();
});

/** The outcome of a login that the server refuses. */
function refused(name: ErrorName, options: MutationOptions<Login> = {}) {
  const answer = Response.json({ code: errorCode(name), errCode: errorCode(name) }, { status: 400 });
  vi.stubGlobal('fetch', () => Promise.resolve(answer));
  return sendMutation(login, [input], options);
}

describe('An error of a mutation', () => {
  it('that the endpoint lists is shown by the caller, at the field of the catalogue, and in no toast', async () => {
    const { refusal, error } = await refused('emailFormat');
    expect(error?.is('emailFormat')).toBe(true);
    expect(refusal?.field).toBe('email');
    expect(refusal?.summary?.(i18n)).toMatch(/\S/);
    expect(toasts).toEqual([]);
  });

  it('that is not listed is shown in a toast, and the caller shows nothing', async () => {
    const { refusal } = await refused('couponUsedUp');
    expect(refusal).toEqual({});
    expect(toasts).toHaveLength(1);
  });

  it('goes to the handler of its name, which sees the message and the input', async () => {
    const handler = vi.fn(() => undefined);
    const onError = vi.fn();
    const { refusal } = await refused('wrongCaptcha', { errors: { wrongCaptcha: handler }, onError });
    expect(handler).toHaveBeenCalledWith(expect.anything(), expect.any(Function), input);
    expect(onError).toHaveBeenCalledOnce();
    expect(refusal).toEqual({});
    expect(toasts).toEqual([]);
  });

  it('is shown with the caller’s message where it has one', async () => {
    const { refusal } = await refused('loginNotAllowed', { message: () => () => 'of our own' });
    expect(refusal?.summary?.(i18n)).toBe('of our own');
  });

  it('of a caller that shows all is in no toast, whatever it is', async () => {
    const { refusal } = await refused('couponUsedUp', { shows: 'all' });
    expect(refusal?.summary).toBeDefined();
    expect(toasts).toEqual([]);
  });

  it('without a code is shown by the caller', async () => {
    openBrowser();
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
    const { error, refusal } = await sendMutation(login, [input], {});
    expect(error?.kind).toBe('network');
    expect(refusal?.summary).toBeDefined();
    expect(toasts).toEqual([]);
  });

  it('compiles for names that the endpoint lists, and for no other', () => {
    const options: MutationOptions<Login> = {
      errors: {
        wrongCaptcha: () => undefined,
        network: () => undefined,
        // @ts-expect-error -- a login is not refused for a coupon
        couponUsedUp: () => undefined,
      },
    };
    expect(options).toBeDefined();
  });
});
