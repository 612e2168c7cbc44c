import { msg } from '@lingui/core/macro';
import type { I18n } from '@lingui/core';
import { Fragment } from 'react';
import { accountText } from '#contract/mask.ts';

const unknown = msg`TV box`;

/** The name of a TV device from the server's own list; a device that is not on the list has no name. */
export function formatTvDeviceName(i18n: I18n, { maker, model }: { maker: string; model: string }): string {
  if (maker === '') return i18n._(unknown);
  return model.startsWith(maker) ? model : [maker, model].filter(Boolean).join(' ');
}

/** An address or number as customers read it, which breaks at a natural place when it is longer than its line. */
export function AccountName({ account }: { account: string }) {
  const parts = accountText(account).split(/(?=@)/);
  return parts.map((part, index) => (
    <Fragment key={parts.slice(0, index + 1).join('')}>
      {index > 0 ? <wbr /> : null}
      <span translate="no">{part}</span>
    </Fragment>
  ));
}
