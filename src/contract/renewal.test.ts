import { describe, expect, it } from 'vitest';
import { nextRenewalStatus, renewalStatusSchema, renewalTable, type RenewalEvent } from './renewal.ts';

const statuses = renewalStatusSchema.options;

describe('the moves of a renewal', () => {
  it('charge only what is on or past due, so that nothing is charged after off', () => {
    expect(statuses.filter((status) => nextRenewalStatus(status, 'charging'))).toEqual(['on', 'pastDue']);
  });

  it('let nobody turn it off while a charge is on its way, and let its outcome come', () => {
    expect(nextRenewalStatus('renewing', 'turnedOff')).toBeUndefined();
    expect(nextRenewalStatus('renewing', 'paid')).toBe('on');
    expect(nextRenewalStatus('renewing', 'refused')).toBe('pastDue');
  });

  it('take days that were paid in every status, and turn nothing on by them', () => {
    const bought = statuses.map((status) => [status, nextRenewalStatus(status, 'bought')]);
    expect(Object.fromEntries(bought)).toEqual({
      on: 'on',
      off: 'off',
      renewing: 'renewing',
      pastDue: 'on',
      ended: 'off',
    });
  });

  it('lead from off to on by the customer alone', () => {
    // as: the keys of the table
    const events = Object.keys(renewalTable.off) as RenewalEvent[];
    expect(events.filter((event) => nextRenewalStatus('off', event) === 'on')).toEqual(['chosen', 'turnedOn']);
  });
});
