import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { ensureWords, hasWords } from '#web/platform/i18n/catalogs.ts';
import type { ApiError } from './api-error.ts';

/**
 * The words of a code; generic ones, with the code and trace id, when the catalogue has none for it. Before the catalogue of
 * errors is there nothing is known of the code, so that it is not called a fault of the shop: the words are requested, and
 * their arrival renders the page again.
 */
export function errorWords(i18n: I18n, code: number, traceId?: string): string {
  const id = `errCode.${code}`;
  if (Object.hasOwn(i18n.messages, id)) return i18n._(id);
  const reference = traceId ? `${code} · ${traceId}` : String(code);
  if (!hasWords('private')) {
    void ensureWords('private');
    return i18n._(msg`This did not work. The reason has not loaded yet. Code: ${reference}`);
  }
  return i18n._(msg`Something went wrong on our side. If it happens again, tell us this code: ${reference}`);
}

/** The words of any error of a call. Never the server's prose. */
export function wordsOf(i18n: I18n, error: ApiError): string {
  switch (error.kind) {
    case 'refused':
      return errorWords(i18n, error.code ?? 0, error.traceId);
    case 'network':
      return error.lost === 'timeout'
        ? i18n._(msg`The answer is taking too long. Check your connection.`)
        : i18n._(msg`We cannot reach the shop. Check your connection.`);
    case 'http':
      return i18n._(msg`The shop has a problem at the moment. Please try again later.`);
    case 'malformed':
      return i18n._(msg`We received an answer that we cannot read. Please try again later.`);
  }
}
