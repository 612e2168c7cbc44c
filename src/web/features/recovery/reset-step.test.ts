import { describe, expect, it } from 'vitest';
import { resetStep } from './use-reset-by-code.ts';

describe('the question of a reset by code', () => {
  it('is the account until a code is on its way to it, whatever was unfolded', () => {
    expect(resetStep(undefined, false)).toBe('account');
    expect(resetStep('password', false)).toBe('account');
  });

  it('is the code then, and the password once that has been unfolded below it', () => {
    expect(resetStep(undefined, true)).toBe('code');
    expect(resetStep('code', true)).toBe('code');
    expect(resetStep('password', true)).toBe('password');
  });
});
