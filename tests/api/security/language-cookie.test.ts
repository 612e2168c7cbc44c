import { describe, expect, it } from 'vitest';
import { pageLanguage } from '#server/http/pages/page-routes.ts';

const brand = { tenantId: 't', countryCode: '', langs: ['en', 'pt', 'es'] as const, defaultLang: 'en' as const };
const languageOf = (cookie: string) =>
  pageLanguage({ query: new URLSearchParams(), cookie, acceptLanguage: undefined }, brand);

describe('the language that a browser has kept', () => {
  it('is read from the cookie of https, whatever another host has put beside it', () => {
    expect(languageOf('__Host-language=pt')).toBe('pt');
    expect(languageOf('language=es; __Host-language=pt')).toBe('pt');
    expect(languageOf('a=b; __Host-language=pt; language=es')).toBe('pt');
  });

  it('is read from the plain one where there is no https', () => {
    expect(languageOf('a=1;language=es')).toBe('es');
  });

  it('is nothing but a language: any other text leaves the default', () => {
    for (const text of ['language=<script>', 'language=de', 'xlanguage=pt', 'language=', '__Host-language=pt%00', ''])
      expect(languageOf(text)).toBe('en');
  });
});
