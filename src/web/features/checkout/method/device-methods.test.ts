import { beforeEach, expect, test, vi } from 'vitest';

interface Device {
  readonly applePay?: () => boolean;
  readonly googlePay?: () => Promise<boolean>;
}

const both = ['applePay', 'googlePay'] as const;

/** What a device answers; without a function its browser lacks that interface. */
async function answerOf({ applePay, googlePay }: Device) {
  const google = googlePay && {
    PaymentRequest: class {
      canMakePayment = googlePay;
    },
  };
  const page = { ...(applePay && { ApplePaySession: { canMakePayments: applePay } }), ...google };
  vi.stubGlobal('window', page);
  for (const [name, value] of Object.entries(page)) vi.stubGlobal(name, value);
  const { presentWallets } = await import('./device-methods.ts');
  const found = presentWallets(both);
  await vi.advanceTimersByTimeAsync(1000);
  return { found: [...(await found)], again: async () => [...(await presentWallets(both))] };
}

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

test('a browser without wallets has none', async () => {
  expect((await answerOf({})).found).toEqual([]);
});

test('a device has the wallets that its browser confirms', async () => {
  expect((await answerOf({ applePay: () => true, googlePay: async () => false })).found).toEqual(['applePay']);
  vi.resetModules();
  expect((await answerOf({ applePay: () => false, googlePay: async () => true })).found).toEqual(['googlePay']);
});

test('a refusal to answer counts as no', async () => {
  const insecure = () => {
    throw new DOMException('insecure document', 'InvalidAccessError');
  };
  const tooOften = () => Promise.reject(new DOMException('too often', 'NotAllowedError'));
  expect((await answerOf({ applePay: insecure, googlePay: tooOften })).found).toEqual([]);
});

test('a browser that answers late shows its wallet at the next visit, and is asked once', async () => {
  const googlePay = vi.fn(() => new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 3000)));
  const { found, again } = await answerOf({ googlePay });
  expect(found).toEqual([]);
  await vi.advanceTimersByTimeAsync(3000);
  expect(await again()).toEqual(['googlePay']);
  expect(googlePay).toHaveBeenCalledTimes(1);
});
