import { describe, expect, it } from 'vitest';
import { ApiError } from '#web/platform/api/api-error.ts';
import { refusedError } from '#web/platform/api/refused-error.ts';
import { activate, activeLanguage, createI18n } from './active.ts';
import { messageOfCode, messageOfError } from '#web/platform/api/error-message.ts';

const catalogue = { hello: ['Hello, ', ['name']] as ['Hello, ', [string]], 'errCode.17': 'Too many tries' };

describe('the messages of a page', () => {
  it('are the catalogue, overridden by the brand’s own messages', () => {
    const i18n = createI18n('pt', catalogue, undefined, { hello: [['name'], ', welcome to Lumen'], bye: '<b>Bye</b>' });
    expect(i18n._('hello', { name: 'Ana' })).toBe('Ana, welcome to Lumen');
    expect(i18n._('bye')).toBe('<b>Bye</b>');
    expect(createI18n('pt', catalogue)._('hello', { name: 'Ana' })).toBe('Hello, Ana');
  });

  it('are in English until the language is known', () => {
    expect(activeLanguage()).toBe('en');
    activate(createI18n('ru', {}));
    expect(activeLanguage()).toBe('ru');
  });
});

describe('the message of an error', () => {
  const i18n = createI18n('en', catalogue);

  it('is that of its code', () => expect(messageOfCode(i18n, 17)).toBe('Too many tries'));

  it('is generic for an unknown code, with the details that support needs', () => {
    expect(messageOfCode(i18n, 424242, 'trace-1234')).toContain('424242 · trace-1234');
    expect(messageOfCode(i18n, -7)).toContain('-7');
  });

  it('exists for every error', () => {
    const errors = [
      refusedError('pay', { code: 17 }),
      new ApiError('network', 'pay', { lost: 'timeout' }),
      new ApiError('network', 'pay', { lost: 'unreachable' }),
      new ApiError('http', 'pay', { status: 502 }),
      new ApiError('malformed', 'pay'),
    ];
    const words = errors.map((error) => messageOfError(i18n, error));
    expect(new Set(words).size).toBe(5);
    for (const text of words) expect(text.length).toBeGreaterThan(10);
  });
});
