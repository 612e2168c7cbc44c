import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { loadMessages, hasMessages } from '#web/platform/i18n/catalogs.ts';
import type { ApiError } from './api-error.ts';

/**
 * The message of a code; a generic one, with the code and trace id, when the catalogue has none. Before the error
 * catalogue has loaded the cause is unknown, so the message does not call it our fault; the catalogue is requested, and
 * its arrival renders the page again.
 */
export function messageOfCode(i18n: I18n, code: number, traceId?: string): string {
  const id = `errCode.${code}`;
  if (Object.hasOwn(i18n.messages, id)) return i18n._(id);
  const reference = traceId ? `${code} · ${traceId}` : String(code);
  if (!hasMessages('private')) {
    void loadMessages('private');
    return i18n._(msg`That didn’t work. The reason hasn’t loaded yet. Code: ${reference}`);
  }
  return i18n._(msg`Something went wrong on our side. If it happens again, give us this code: ${reference}`);
}

/** The message of any error of a call. Never text of the server. */
export function messageOfError(i18n: I18n, error: ApiError): string {
  switch (error.kind) {
    case 'refused':
      return messageOfCode(i18n, error.code ?? 0, error.traceId);
    case 'network':
      return error.lost === 'timeout'
        ? i18n._(msg`This is taking too long. Check your connection.`)
        : i18n._(msg`We can’t reach the shop. Check your connection.`);
    case 'http':
      return i18n._(msg`The shop has a problem right now. Please try again later.`);
    case 'malformed':
      return i18n._(msg`We received an answer we can’t read. Please try again later.`);
  }
}
