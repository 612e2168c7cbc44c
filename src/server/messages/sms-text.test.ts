import { describe, expect, it } from 'vitest';
import { languages } from '#contract/fields.ts';
import { accountExistsSms, codeSms } from './code-messages.ts';
import { renewalSms } from './renewal-sms.ts';
import { brand, codeScenes, renewalTexts } from '#tests/builders/sample-mails.ts';

describe('an SMS', () => {
  it.each(languages)('with a code binds it to the brand’s host in its last line, in %s', (language) => {
    const texts = codeScenes.map((scene) => codeSms(brand, language, { code: '0421', scene }));
    expect(new Set(texts).size).toBe(codeScenes.length);
    for (const text of texts) {
      expect(text.startsWith('Lumen: 0421 ')).toBe(true);
      expect(text.split('\n').at(-1)).toBe('@lumen.example #0421');
    }
  });

  it.each(languages)(
    'about a renewal is one sentence or two with one link to the brand at its end, in %s',
    (language) => {
      const said = renewalTexts.map((sms) => renewalSms(brand, language, sms));
      expect(new Set(said).size).toBe(renewalTexts.length);
      for (const text of said) {
        expect(text).toMatch(/^Lumen: [^\n]+ https:\/\/lumen\.example:8443\/\S+$/);
        expect(text.match(/https:/g)).toHaveLength(1);
        // without the link, at most three messages: 67 characters each outside the GSM alphabet (3GPP TS 23.038)
        expect(text.replace(/https:\S+$/, '').length).toBeLessThanOrEqual(3 * 67);
        expect(text).not.toMatch(/\u00A0|undefined|null/);
      }
      const english = new Set(renewalTexts.map((sms) => renewalSms(brand, 'en', sms)));
      if (language !== 'en') expect(said.filter((text) => english.has(text))).toEqual([]);
    },
  );

  it.each(languages)('to the owner of an account contains no code and links to the shop, in %s', (language) => {
    expect(accountExistsSms(brand, language)).toMatch(new RegExp(`^Lumen: .* ${brand.origin}/login\\?la=${language}$`));
  });
});
