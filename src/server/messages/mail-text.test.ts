import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languages } from '#contract/fields.ts';
import { contrast } from '#contract/oklch.ts';
import type { NextStep } from '#contract/next-step.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { newSignInMail } from './account-mails.ts';
import { renderMail } from './mail-html.ts';
import { receiptMail, reminderMail } from './order-mails.ts';
import { renewalOffMail } from './renewal-chosen-mail.ts';
import {
  brand,
  amount,
  mails,
  paymentSteps,
  receipt,
  reminderOf,
  renewalOff,
  signIn,
} from '#tests/builders/sample-mails.ts';

const evil = '<img src=x onerror=alert(1)>"';

const each = Object.entries(mails);
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '' && line !== brand.name);
const unescaped = (html: string) => html.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');

it('a mail carries names and values as text, never as markup', () => {
  const { html } = renderMail({ name: evil, themeColor: 'red;}</style>', wordings: {} }, 'en', {
    subject: evil,
    paragraphs: [evil],
    code: evil,
    rows: [[evil, evil]],
    notes: [evil],
    button: { label: evil, url: `https://a/"${evil}` },
    closing: evil,
  });
  expect(html).not.toContain('<img');
  expect(html).not.toContain('red;}');
  expect(html.match(/<\/style>/g)).toHaveLength(1);
});

/** The declarations of each class in a dark mail client. */
const darkRulesOf = (html: string) =>
  new Map(
    Array.from(html.matchAll(/\.(\w)\{([^}]*)\}/g), ([, name = '', rule = '']) => [
      name,
      new Map(rule.split(';').map((one) => one.replace('!important', '').split(':') as [string, string])), // as: a declaration
    ]),
  );

it('a mail in a dark client is dark and legible, with any brand colour', () => {
  const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(fc.oneof(colour, fc.constantFrom('#000000', '#ffffff', '#ffff00', 'none')), (themeColor) => {
      const { html } = renderMail({ name: 'Lumen', themeColor, wordings: {} }, 'en', {
        subject: 'Hello',
        paragraphs: ['Welcome.'],
        code: '123456',
        rows: [['Plan', 'Family']],
        copy: { label: 'Code', text: 'abc' },
        button: { label: 'Open', url: 'https://shop.example/' },
        notes: ['A note.'],
        closing: 'Bye,',
        leave: { label: 'Unsubscribe', url: 'https://shop.example/leave' },
      });
      expect(html).toContain('<meta name="color-scheme" content="light dark">');
      const rules = darkRulesOf(html);
      const value = (name: string, property: string) => rules.get(name)?.get(property) ?? 'missing';
      for (const ground of ['g', 'c'].map((name) => value(name, 'background'))) {
        for (const name of ['t', 's']) expect(contrast(value(name, 'color'), ground)).toBeGreaterThan(4.5);
      }
      expect(contrast(value('b', 'background'), value('b', 'color'))).toBeGreaterThan(4.5);
      for (const brandColour of [value('b', 'background'), value('m', 'border-color')])
        expect(contrast(brandColour, value('c', 'background'))).toBeGreaterThan(3);
      // every element with a colour of its own has a class that changes it
      for (const [tag] of html.matchAll(/<\w+ [^>]*style="[^"]*(?:#|rgba)[^>]*>/g)) expect(tag).toContain('class="');
    }),
  );
});

it.each(languages)('an email that wants something never says that there is nothing to do, in %s', (language) => {
  const nothing = reminderOf({ type: 'none' })(brand, language)
    .text.split('\n')
    .filter((line) => line !== '')
    .at(-3);
  const rejected = Object.entries(paymentSteps).filter(([, next]) => next.type === 'upload');
  expect(rejected.length).toBeGreaterThan(0);
  for (const [, next] of rejected) {
    for (const proof of ['none', 'rejected'] as const) {
      const mail = reminderOf({ ...next, proof } as NextStep)(brand, language); // as: a step of this type has a proof
      expect(mail.text).not.toContain(nothing);
      expect(mail.html).not.toContain(nothing);
    }
  }
});

it('an email names the time in the time zone of the brand, which it names, and its days by that calendar', () => {
  const late = Date.UTC(2026, 10, 27, 2, 30);
  const zoned = (timeZone: string): Brand => ({ ...brand, config: { ...brand.config, timeZone } });
  const reminder = (timeZone: string) =>
    reminderMail(zoned(timeZone), 'en', {
      orderId: 'ABCDEFGH',
      planName: 'Anual',
      methodName: 'Pix',
      total: amount,
      next: { type: 'redirect', url: 'https://bank.example/pay', expiresAt: late },
    }).text;
  expect(reminder('America/Sao_Paulo')).toMatch(/November 26, 2026 at 11:30.PM \(GMT-3\)/);
  expect(reminder('UTC')).toMatch(/November 27, 2026 at 2:30.AM \(UTC\)/);
  expect(renewalOffMail(zoned('America/Sao_Paulo'), 'en', { ...renewalOff, endsAt: late, by: 'shop' }).text).toContain(
    'November 26, 2026',
  );
  // daylight saving time: one hour ahead
  const summer = renewalOffMail(zoned('Europe/Berlin'), 'en', {
    ...renewalOff,
    endsAt: Date.UTC(2026, 6, 1, 22),
    by: 'shop',
  });
  expect(summer.text).toContain('July 2, 2026');
});

describe.each(each)('the mail "%s"', (_, write) => {
  it.each(languages)('says the same in text and HTML, and declares its language, in %s', (language) => {
    const { subject, text, html } = write(brand, language);
    expect(subject).not.toBe('');
    expect(html).toContain(`<html lang="${language}">`);
    const flat = unescaped(html);
    for (const line of linesOf(text)) {
      // in HTML the label and the value of a row or a button are in separate elements
      for (const part of flat.includes(line) ? [] : line.split(/: (?=\S+$)|: /)) expect(flat).toContain(part);
    }
    expect(unescaped(html.replaceAll(/<[^>]*>/g, ''))).not.toMatch(/undefined|null|\[object|&\w+;/);
  });

  it('is translated, line by line', () => {
    const inEnglish = new Set([...linesOf(write(brand, 'en').text), write(brand, 'en').subject]);
    for (const language of languages.filter((one) => one !== 'en')) {
      const { subject, text } = write(brand, language);
      const prose = [subject, ...linesOf(text)].filter((line) => /\p{L}{2}.*( .*\p{L}{2}){2}/u.test(line));
      expect(prose.filter((line) => inEnglish.has(line))).toEqual([]);
      const letters = text.replaceAll(
        /https?:\S+|Lumen|Smart TV|Android, SM-A5|\bIP\b|\bUTC\b|Pix|PayPal|\S+@example\.com|Anual|BRL/g,
        '',
      );
      if (language === 'ru') expect(letters).not.toMatch(/[a-z]{4}/);
    }
  });

  it('lets no brand’s name become markup, and links to nothing but the brand', () => {
    const { html } = write({ ...brand, name: evil }, 'en');
    expect(html).not.toContain('<img');
    const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href ?? '');
    expect(hrefs.filter((href) => !href.startsWith(`${brand.origin}/`))).toEqual([]);
    expect(write(brand, 'en').html).not.toMatch(/<(script|img|link|iframe)|src=|url\(/);
  });
});

it('the receipt shows the total with its currency', () => {
  expect(receiptMail(brand, 'en', receipt).text).toMatch(/R\$.49,90|R\$49\.90|49,90.R\$/);
});

it('a mail about a new sign-in names device, place and time, and describes an unknown device', () => {
  const { text } = newSignInMail(brand, 'en', signIn);
  expect(text).toContain('Device: Android, SM-A5');
  expect(text).toContain('IP address: 203.0.113.7');
  expect(text).toMatch(/Time: November 21, 2026 at 3:04.PM \(UTC\)/);
  expect(text).toContain('https://lumen.example:8443/forgot-password?la=en');
  expect(newSignInMail(brand, 'pt', { ...signIn, device: '', model: '' }).text).toContain('Aparelho: Desconhecido');
});
