import { afterEach, describe, expect, it, vi } from 'vitest';
import { rememberLanguage } from './remember-language.ts';

afterEach(() => vi.unstubAllGlobals());

/** What a page at this address tells the browser to keep. */
function setAt(protocol: string): string {
  const page = { cookie: '' };
  vi.stubGlobal('location', { protocol });
  vi.stubGlobal('document', page);
  rememberLanguage('pt');
  return page.cookie;
}

describe('the cookie of the language', () => {
  it('is for this host and for https alone, where the shop is reached by https', () => {
    expect(setAt('https:')).toMatch(/^__Host-language=pt; Path=\/; Max-Age=\d+; SameSite=Lax; Secure$/);
  });

  it('is set at home, too, where there is no https', () => {
    expect(setAt('http:')).toMatch(/^language=pt; Path=\/; Max-Age=\d+; SameSite=Lax$/);
  });
});
