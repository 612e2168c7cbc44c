import { describe, expect, it } from 'vitest';
import { resetStep } from './use-reset-by-code.ts';

describe('the question of a reset by code', () => {
  it('is the account until a code was sent to it, whatever was unfolded', () => {
    expect(resetStep(undefined, false)).toBe('account');
    expect(resetStep('password', false)).toBe('account');
  });

  it('is then the code, and the password after that was unfolded', () => {
    expect(resetStep(undefined, true)).toBe('code');
    expect(resetStep('code', true)).toBe('code');
    expect(resetStep('password', true)).toBe('password');
  });
});
