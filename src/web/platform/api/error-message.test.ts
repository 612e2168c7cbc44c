import { beforeEach, expect, it, vi } from 'vitest';
import { errors } from '#contract/error-codes.ts';

/** The modules of a page that was just opened: no error messages were requested yet. */
async function freshPage() {
  const { createI18n, activate } = await import('#web/platform/i18n/active.ts');
  const { messageOfCode } = await import('./error-message.ts');
  const { loadMessages } = await import('#web/platform/i18n/catalogs.ts');
  const i18n = createI18n('en', {});
  activate(i18n);
  return { i18n, messageOfCode, loadMessages };
}

beforeEach(() => vi.resetModules());

it('does not call an error our fault before its message has loaded', async () => {
  const { i18n, messageOfCode } = await freshPage();
  for (const { code } of Object.values(errors)) {
    expect(messageOfCode(i18n, code)).not.toMatch(/our side/);
    expect(messageOfCode(i18n, code)).toContain(String(code));
  }
});

it('renders the message of a page’s first error as soon as it has loaded', async () => {
  const { i18n, messageOfCode, loadMessages } = await freshPage();
  const rendered: string[] = [];
  i18n.on('change', () => rendered.push(messageOfCode(i18n, 9001)));
  messageOfCode(i18n, 9001);
  await loadMessages('private');
  expect(rendered).toEqual(['This coupon is not valid']);
});

it('does not show any coupon error as our fault', async () => {
  const { i18n, messageOfCode, loadMessages } = await freshPage();
  await loadMessages('private');
  for (const code of [9000, 9001, 9002, 9003, 9991, 1003]) expect(messageOfCode(i18n, code)).not.toMatch(/our side/);
  expect(messageOfCode(i18n, 424_242, 'trace-1234')).toMatch(/our side.*424242 · trace-1234/);
});
