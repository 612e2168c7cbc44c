import { describe, expect, it } from 'vitest';
import { resetStep } from './use-reset-by-code.ts';

describe('the question of a reset by code', () => {
  it('is the account until a code is on its way to it, whatever the address names', () => {
    expect(resetStep(undefined, false, '')).toBe('account');
    expect(resetStep('password', false, '1234')).toBe('account');
  });

  it('is the code until all of its digits are there', () => {
    expect(resetStep(undefined, true, '1234')).toBe('code');
    expect(resetStep('password', true, '')).toBe('code');
    expect(resetStep('password', true, '123')).toBe('code');
  });

  it('is the password after that', () => {
    expect(resetStep('password', true, '1234')).toBe('password');
  });
});
