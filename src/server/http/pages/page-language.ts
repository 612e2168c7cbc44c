import * as v from 'valibot';
import { chooseLanguage } from '#contract/brand.ts';
import { languageSchema, type Language } from '#contract/fields.ts';

interface LanguageSources {
  query: URLSearchParams;
  cookie: string | undefined;
  acceptLanguage: string | undefined;
}

interface BrandLanguages {
  tenantId: string;
  countryCode: string;
  langs: readonly Language[];
  defaultLang: Language;
}

/**
 * The language of a page: from the URL (as language alternates require), else from the cookie that mirrors the
 * visitor's choice, else from Accept-Language, else the brand's default.
 */
export function pageLanguage(sources: LanguageSources, brand: BrandLanguages): Language {
  const chosen = () =>
    chooseLanguage({
      // the cookie that was set without HTTPS is older
      stored: cookie('__Host-language', sources.cookie) ?? cookie('language', sources.cookie),
      browser: acceptedLanguages(sources.acceptLanguage),
      ...brand,
    });
  return urlLanguage(sources.query, brand.langs) ?? chosen();
}

/** The language that a URL names, if the brand has it. */
export function urlLanguage(query: URLSearchParams, langs: readonly Language[]): Language | undefined {
  return ['language', 'la'].map((name) => parsed(query.get(name))).find((code) => code && langs.includes(code));
}

function cookie(name: string, header = ''): Language | undefined {
  const pairs = header.split(';').map((pair) => pair.trim());
  return parsed(pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1));
}

function parsed(value: string | null | undefined): Language | undefined {
  const result = v.safeParse(languageSchema, value);
  return result.success ? result.output : undefined;
}

/** Accept-Language (RFC 9110, 12.5.4), best first. */
function acceptedLanguages(header: string | undefined): string[] {
  return (header ?? '')
    .slice(0, 400)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';');
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)/.exec(parameter)?.[1]).find(Boolean);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ tag, quality }) => tag && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}
