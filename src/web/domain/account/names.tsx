import { msg } from '@lingui/core/macro';
import type { I18n } from '@lingui/core';
import { Fragment } from 'react';

const unknown = msg`A TV box`;

/** What to call a box. Its names come from the server's own list; one that is not on it has none. */
export function boxName(i18n: I18n, { maker, model }: { maker: string; model: string }): string {
  if (maker === '') return i18n._(unknown);
  return model.startsWith(maker) ? model : [maker, model].filter(Boolean).join(' ');
}

/** An address or number that breaks where people would break it, when it is longer than its line. */
export function AccountName({ account }: { account: string }) {
  const parts = account.split(/(?=@)/);
  return parts.map((part, index) => (
    <Fragment key={parts.slice(0, index + 1).join('')}>
      {index > 0 ? <wbr /> : null}
      <span translate="no">{part}</span>
    </Fragment>
  ));
}
