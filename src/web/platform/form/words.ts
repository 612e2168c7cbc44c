import type { I18n, MessageDescriptor } from '@lingui/core';

/** What is wrong, kept as the way to say it: a switch of the language says it anew. */
export type Words = (i18n: I18n) => string;

export const say =
  (message: MessageDescriptor): Words =>
  (i18n) =>
    i18n._(message);

/** Leaves out the fields that are fine. */
export function onlyProblems<Name extends string>(problems: Record<Name, Words | false>): Partial<Record<Name, Words>> {
  const wrong = Object.entries(problems).filter(([, words]) => words !== false);
  // what is left of the record is what was not false
  return Object.fromEntries(wrong) as Partial<Record<Name, Words>>;
}
