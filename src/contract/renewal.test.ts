import { describe, expect, it } from 'vitest';
import { nextRenewalStatus, renewalStatusSchema, renewalTable, type RenewalEvent } from './renewal.ts';

const statuses = renewalStatusSchema.options;

describe('the status of a renewal', () => {
  it('allows a charge only if it is on or past due', () => {
    expect(statuses.filter((status) => nextRenewalStatus(status, 'charging'))).toEqual(['on', 'pastDue']);
  });

  it('cannot be turned off during a charge, and accepts its outcome', () => {
    expect(nextRenewalStatus('renewing', 'turnedOff')).toBeUndefined();
    expect(nextRenewalStatus('renewing', 'paid')).toBe('on');
    expect(nextRenewalStatus('renewing', 'refused')).toBe('pastDue');
  });

  it('accepts a purchase in every status, without turning renewal on', () => {
    const bought = statuses.map((status) => [status, nextRenewalStatus(status, 'bought')]);
    expect(Object.fromEntries(bought)).toEqual({
      on: 'on',
      off: 'off',
      renewing: 'renewing',
      pastDue: 'on',
      ended: 'off',
    });
  });

  it('changes from off to on only by the customer', () => {
    // as: the keys of the table
    const events = Object.keys(renewalTable.off) as RenewalEvent[];
    expect(events.filter((event) => nextRenewalStatus('off', event) === 'on')).toEqual(['chosen', 'turnedOn']);
  });
});
