import { afterEach, describe, expect, it, vi } from 'vitest';
import { rememberLanguage } from './active.ts';

afterEach(() => vi.unstubAllGlobals());

/** The cookie that a page with this protocol sets. */
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

  it('is also set on a local network without https', () => {
    expect(setAt('http:')).toMatch(/^language=pt; Path=\/; Max-Age=\d+; SameSite=Lax$/);
  });
});
