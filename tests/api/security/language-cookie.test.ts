import { describe, expect, it } from 'vitest';
import { pageLanguage } from '#server/http/pages/page-language.ts';

const brand = { tenantId: 't', countryCode: '', langs: ['en', 'pt', 'es'] as const, defaultLang: 'en' as const };
const languageOf = (cookie: string) =>
  pageLanguage({ query: new URLSearchParams(), cookie, acceptLanguage: undefined }, brand);

describe('the language cookie', () => {
  it('is read from the __Host- cookie with https, whatever other cookies are sent', () => {
    expect(languageOf('__Host-language=pt')).toBe('pt');
    expect(languageOf('language=es; __Host-language=pt')).toBe('pt');
    expect(languageOf('a=b; __Host-language=pt; language=es')).toBe('pt');
  });

  it('is read from the plain cookie without https', () => {
    expect(languageOf('a=1;language=es')).toBe('es');
  });

  it('is ignored unless it contains a supported language', () => {
    for (const text of ['language=<script>', 'language=xx', 'xlanguage=pt', 'language=', '__Host-language=pt%00', ''])
      expect(languageOf(text)).toBe('en');
  });
});
