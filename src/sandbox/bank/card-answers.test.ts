import { describe, expect, it } from 'vitest';
import { cardAnswer } from './stored-cards.ts';

const now = Date.UTC(2026, 10, 20);
const card = (number: string, code = '123', expiry = '12/30') => ({
  number,
  code,
  expiry,
  holderFirstName: 'Ana',
  holderLastName: 'Lima',
  save: false,
});

describe('the sandbox bank', () => {
  it.each(['4242424242424242', '5555555555554444', '2223003122003222', '6062826786276634', '5067230000009011'])(
    'pays by %s',
    (number) => {
      expect(cardAnswer(card(number), 'BRL', now)).toEqual({ does: 'pay' });
    },
  );

  it('requires a code of four digits for American Express, of three for others', () => {
    expect(cardAnswer(card('378282246310005', '1234'), 'USD', now)).toEqual({ does: 'pay' });
    expect(cardAnswer(card('378282246310005', '123'), 'USD', now)).toEqual({ does: 'decline', error: 'wrongCardCode' });
    expect(cardAnswer(card('4242424242424242', '1234'), 'USD', now)).toEqual({
      does: 'decline',
      error: 'wrongCardCode',
    });
  });

  it.each([
    ['4000000000000002', 'cardRejected'],
    ['4000000000009995', 'insufficientFunds'],
    ['4000000000000069', 'cardExpired'],
    ['4000000000000127', 'wrongCardCode'],
    ['4000000000000119', 'paymentFailed'],
    ['4000000000000341', 'rejectedByBank'],
    ['4111111111111112', 'wrongCardNumber'],
  ])('declines %s with %s', (number, error) => {
    expect(cardAnswer(card(number), 'BRL', now)).toEqual({ does: 'decline', error });
  });

  it.each(['4000002500003155', '4000000000003220'])('requires a confirmation for %s', (number) => {
    expect(cardAnswer(card(number), 'BRL', now)).toEqual({ does: 'challenge' });
  });

  it.each([
    ['4000000000000259', 'payThenChargeBack'],
    ['4000000000000267', 'payThenLose'],
    ['4000000000000275', 'payThenWin'],
  ])('opens a dispute for %s later', (number, does) => {
    expect(cardAnswer(card(number), 'BRL', now)).toEqual({ does });
  });

  it('accepts Brazilian cards in BRL only, and no expired card', () => {
    expect(cardAnswer(card('6062826786276634'), 'USD', now)).toEqual({ does: 'decline', error: 'cardRejected' });
    expect(cardAnswer(card('4242424242424242', '123', '10/26'), 'BRL', now)).toEqual({
      does: 'decline',
      error: 'cardExpired',
    });
  });
});
