import { describe, expect, it } from 'vitest';
import { errorCode } from '#contract/error-codes.ts';
import { phoneAnswer } from './mobile.ts';

describe('the phone of a payer', () => {
  it.each([
    ['712340001', { status: 'declined', declineCode: errorCode('insufficientFunds') }, 2],
    ['712341019', { status: 'expired' }, 120],
    ['712341032', { status: 'declined', declineCode: errorCode('paymentCancelled') }, 2],
    ['712342037', { status: 'paid' }, 180],
    ['712343000', { status: 'paid', tellAfterMs: 30_000 }, 3],
    ['712345678', { status: 'paid' }, 3],
  ])('with the number %s ends the payment as %j after %i seconds', (number, end, seconds) => {
    expect(phoneAnswer(number)).toEqual({ does: 'end', end, afterMs: seconds * 1000 });
  });

  it('gets no prompt while it is busy', () => {
    expect(phoneAnswer('712341001')).toEqual({ does: 'refuse', error: 'tooFrequent' });
  });

  it('can stay without an answer', () => {
    expect(phoneAnswer('712341037')).toEqual({ does: 'nothing' });
  });

  it('is recognized by its last four digits, in every country', () => {
    expect(phoneAnswer('256700001037')).toEqual(phoneAnswer('265881037'));
  });
});
