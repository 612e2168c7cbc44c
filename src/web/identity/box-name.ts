import { msg } from '@lingui/core/macro';
import type { I18n } from '@lingui/core';

const unknown = msg`A TV box`;

/** What to call a box. Its names come from the server's own list; one that is not on it has none. */
export function boxName(i18n: I18n, { maker, model }: { maker: string; model: string }): string {
  if (maker === '') return i18n._(unknown);
  return model.startsWith(maker) ? model : [maker, model].filter(Boolean).join(' ');
}
