import { expect, it } from 'vitest';
import { defaultEmailSuffixes } from '#contract/limits.ts';
import { suggestedEmail } from './email-suggestion.tsx';

it.each([
  ['gmail.com', ['gmial.com', 'gmal.com', 'gmai.com', 'gmaill.com', 'gnail.com', 'gmail.co', 'gmail.con', 'gmail.cm']],
  ['gmail.com', ['gmail.om', 'gmailcom', 'gmail.com.br', 'gmail', 'gamil.com', 'ggmail.com', 'GMAIL.CON', 'gmail,com']],
  [
    'hotmail.com',
    ['hotmial.com', 'hotmal.com', 'hormail.com', 'hotmail.co', 'hotmai.com', 'hotmil.com', 'htomail.com'],
  ],
  ['outlook.com', ['outlok.com', 'outloo.com', 'otlook.com', 'outllok.com', 'outlook.con']],
  ['yahoo.com', ['yaho.com', 'yahooo.com', 'yhaoo.com', 'yahoo.con']],
  ['icloud.com', ['iclod.com', 'icloud.co', 'iclould.com', 'icloud.com.br']],
  ['uol.com.br', ['uol.com.b', 'uol.com.be', 'ul.com.br']],
  ['mail.ru', ['mial.ru', 'maill.ru', 'mai.ru']],
  ['yandex.ru', ['yandx.ru', 'yadnex.ru', 'yandex.r']],
])('suggests %s for its typical misspellings', (meant, slips) => {
  for (const slip of slips) expect([slip, suggestedEmail(`Ana@${slip}`)]).toEqual([slip, `ana@${meant}`]);
});

it('suggests nothing for an address that may be correct', () => {
  const right = [
    'gmail.com',
    'ymail.com',
    'mail.com',
    'email.com',
    'bk.ru',
    'list.ru',
    'ya.ru',
    'me.com',
    'example.com',
  ];
  for (const domain of [...right, ...defaultEmailSuffixes, 'acme.com', 'bücher.de', 'usp.br', 'live.com', 'gmx.com']) {
    expect([domain, suggestedEmail(`ana@${domain}`)]).toEqual([domain, undefined]);
  }
  for (const typed of ['', 'ana', 'ana@', '@gmial.com', 'a@b@gmial.com']) expect(suggestedEmail(typed)).toBeUndefined();
});

it.each([
  ['hotmail', 'pt it fr de ca nl com.ar se no fi dk be gr ch cl co.za co.jp com.tr com.au'],
  ['outlook', 'fr de it in com.ar be pt dk cz sk ie jp kr sa co.id com.tr com.au com.gr'],
  ['yahoo', 'it fr de ca in com.co com.pe com.tr pl se ro gr no dk co.jp co.id com.au com.sg com.ph'],
  ['live', 'ru co.uk com.br com.mx com.ar se nl be dk no com.au com.pt cl'],
  ['yandex', 'kz by ua uz com com.tr'],
])('does not correct a domain of %s in another country', (host, endings) => {
  for (const ending of endings.split(' '))
    expect([ending, suggestedEmail(`ana@${host}.${ending}`)]).toEqual([ending, undefined]);
});

it("suggests the brand's domains", () => {
  expect(suggestedEmail('ana@lumen.exmaple', ['lumen.example'])).toBe('ana@lumen.example');
  expect(suggestedEmail('ana@gmal.com', ['gmal.com'])).toBeUndefined();
});
