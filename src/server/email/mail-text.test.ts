import { expect, it } from 'vitest';
import { languages } from '../../contract/fields.ts';
import type { Brand } from '../brand/catalog.ts';
import { layOut } from './mail-text.ts';
import { receiptMail } from './receipt-mail.ts';
import { welcomeMail } from './welcome-mail.ts';

const brand = { name: 'Lumen', themeColor: '#6D3BEB', origin: 'https://lumen.example' } as Brand; // all that a mail reads

it('a mail carries names and values as text, never as markup', () => {
  const evil = '<img src=x onerror=alert(1)>"';
  const { html } = layOut({ name: evil, themeColor: 'red;}</style>' }, 'en', {
    subject: evil,
    paragraphs: [evil],
    rows: [[evil, evil]],
    button: { label: evil, url: `https://a/"${evil}` },
    closing: evil,
  });
  expect(html).not.toContain('<img');
  expect(html).not.toContain('</style>');
});

it.each(languages)('the receipt and the welcome say the same in text and HTML, in %s', (language) => {
  const receipt = {
    orderId: 'ABCDEFGH',
    planName: 'Anual',
    methodName: 'Pix',
    total: { amount: 4990, currency: 'BRL' },
    installments: 3,
    paidAt: Date.UTC(2026, 10, 21),
    serviceEnd: Date.UTC(2027, 10, 21),
  };
  for (const mail of [receiptMail(brand, language, receipt), welcomeMail(brand, language)]) {
    expect(mail.subject).not.toBe('');
    for (const line of mail.text
      .split('\n')
      .filter((part) => part !== '' && !part.includes(': ') && !part.endsWith(','))) {
      expect(mail.html).toContain(line);
    }
  }
  expect(receiptMail(brand, language, receipt).text).toMatch(/R\$.49,90|R\$49\.90|49,90.R\$/);
});
