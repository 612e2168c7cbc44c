import type { I18n, MessageDescriptor } from '@lingui/core';

/** A message as a function of the language, so that it follows a change of the language. */
export type LocalizedMessage = (i18n: I18n) => string;

export const localizedMessage =
  (message: MessageDescriptor): LocalizedMessage =>
  (i18n) =>
    i18n._(message);

/** Leaves out the fields without an error. */
export function onlyProblems<Name extends string>(
  problems: Record<Name, LocalizedMessage | false>,
): Partial<Record<Name, LocalizedMessage>> {
  const wrong = Object.entries(problems).filter(([, words]) => words !== false);
  // as: false was filtered out
  return Object.fromEntries(wrong) as Partial<Record<Name, LocalizedMessage>>;
}
