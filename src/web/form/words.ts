import type { I18n, MessageDescriptor } from '@lingui/core';

/** What is wrong, kept as the way to say it: a switch of the language says it anew. */
export type Words = (i18n: I18n) => string;

export const say =
  (message: MessageDescriptor): Words =>
  (i18n) =>
    i18n._(message);
