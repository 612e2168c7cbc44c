import { setupI18n } from '@lingui/core';
import { expect, it } from 'vitest';
import { couponProblem } from './coupon-messages.ts';

const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
const said = (code: string) => couponProblem(code)?.(i18n);

it('accepts a code in the letters and dashes of other keyboards', () => {
  for (const code of ['SAVE-10', 'ЅАVE—10', 'ＳＡＶＥ－１０', ' save-10.', '\u200BSAVE-10'])
    expect(said(code)).toBeUndefined();
});

it('explains the format of an impossible code, and reports no failure of the shop', () => {
  for (const code of ['ЖИЗНЬ', '优惠', 'SAVE_10', '%', 'A', 'A'.repeat(33)])
    expect(said(code)).toMatch(/letters A to Z/);
});

it('requires a code', () => {
  for (const code of ['', ' ', '\u200B']) expect(said(code)).toMatch(/Enter coupon code/);
});
