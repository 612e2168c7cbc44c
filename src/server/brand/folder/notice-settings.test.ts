import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { alertsSchema, webhooksSchema } from './notice-settings.ts';

describe('the address of a webhook', () => {
  it.each([
    'https://erp.example/hooks',
    'https://erp.example:8443/hooks?shop=1',
    'http://localhost:9000/hooks',
    'http://erp:8080/hooks',
    'http://10.0.0.7/hooks',
    'http://[fd00::7]/hooks',
  ])('may be %s', (url) => {
    expect(v.is(webhooksSchema, [{ url }])).toBe(true);
  });

  it.each([
    'http://erp.example/hooks',
    'http://93.184.216.34/hooks',
    'https://user:secret@erp.example/hooks',
    'https://erp.example/hooks#part',
    'erp.example/hooks',
    'ftp://erp.example/hooks',
    '',
  ])('may not be %s', (url) => {
    const { issues } = v.safeParse(webhooksSchema, [{ url }]);
    expect(issues?.[0].message).toContain('https://');
  });
});

describe('the settings of webhooks and alerts', () => {
  it('name each address once, with events that exist', () => {
    const url = 'https://erp.example/hooks';
    expect(v.is(webhooksSchema, [{ url, events: ['order.paid'] }])).toBe(true);
    expect(v.is(webhooksSchema, [{ url, events: ['order.payed'] }])).toBe(false);
    expect(v.is(webhooksSchema, [{ url, events: [] }])).toBe(false);
    expect(v.is(webhooksSchema, [{ url }, { url, events: ['order.paid'] }])).toBe(false);
  });

  it('name an email, a webhook or both, and not neither', () => {
    expect(v.is(alertsSchema, { email: 'ops@shop.example' })).toBe(true);
    expect(v.is(alertsSchema, { webhook: 'https://chat.example/hooks' })).toBe(true);
    expect(v.is(alertsSchema, {})).toBe(false);
  });
});
