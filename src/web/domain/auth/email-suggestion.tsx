import { Trans } from '@lingui/react/macro';
import { useEffect, useState, type MouseEvent } from 'react';
import { Button } from '#web/ui/button.tsx';
import { normalizeEmail } from '#contract/email-address.ts';

interface EmailSuggestionProps {
  value: string;
  /** the brand's suggested domains */
  domains: readonly string[];
  onPick: (address: string) => void;
}

/** Suggests a corrected address when typing pauses; a screen reader announces it. */
export function EmailSuggestion({ value, domains, onPick }: EmailSuggestionProps) {
  const settled = useSettled(value);
  const suggestion = settled === value ? suggestedEmail(value, domains) : undefined;
  const pick = (event: MouseEvent<HTMLButtonElement>) => {
    // the button is removed with the focus, which returns to the field
    event.currentTarget.closest('form')?.querySelector<HTMLInputElement>('input[name=account]')?.focus();
    if (suggestion !== undefined) onPick(suggestion);
  };
  return (
    <div role="status">
      {suggestion === undefined ? null : (
        <Button variant="quiet" onClick={pick}>
          <span>
            <Trans>
              Did you mean <span translate="no">{suggestion}</span>?
            </Trans>
          </span>
        </Button>
      )}
    </div>
  );
}

const settledMs = 600;

/** The value once it is unchanged for a short time: a domain that is still being typed looks like an error. */
function useSettled(value: string): string | undefined {
  const [settled, setSettled] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settledMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Common mailbox domains in the countries of the languages; the first of equals is suggested. */
const common = (
  'gmail.com hotmail.com outlook.com yahoo.com icloud.com live.com aol.com protonmail.com yahoo.com.br ' +
  'hotmail.com.br outlook.com.br uol.com.br bol.com.br terra.com.br globo.com yahoo.es hotmail.es outlook.es ' +
  'yahoo.com.mx yahoo.com.ar mail.ru yandex.ru rambler.ru inbox.ru googlemail.com yahoo.co.uk hotmail.co.uk'
).split(' ');

/** Real domains that resemble a common one; their addresses are not corrected. */
const others = new Set(
  'mail.com email.com ymail.com gmx.com bk.ru list.ru ya.ru me.com mac.com msn.com uol.com inbox.lv emails.ru yandex.com yahoo.com.co'.split(
    ' ',
  ),
);
/**
 * Providers with a domain in many countries. `.co`, `.cm`, `.cn` and `.om` are omitted on purpose: they are typing
 * errors of `.com`.
 */
const inManyCountries = /^(?:hotmail|outlook|live|yahoo|yandex)\.(?:com?\.)?(..)$/;
const countries = new Set(
  (
    'ae am ar at au az be bg br by ca ch cl cz de dk ee es fi fr ge gr hk hr hu id ie il in it jp kg kr kz lt lu lv md mx my ' +
    'nl no nz pe ph pl pt ro rs ru sa se sg si sk th tr tw ua uk uz ve vn za'
  ).split(' '),
);

/** Providers with `.com` only: a country ending is a typing error. */
const comOnly = /^(gmail|icloud)\.com\.[a-z]{2}$/;

/** The address that was probably meant if the domain looks misspelled, else undefined. */
export function suggestedEmail(typed: string, brandDomains: readonly string[] = []): string | undefined {
  const [local = '', domain = '', ...rest] = normalizeEmail(typed).split('@');
  const known = [...brandDomains, ...common];
  const [, country = ''] = inManyCountries.exec(domain) ?? [];
  const exists = known.includes(domain) || others.has(domain) || countries.has(country);
  if (local === '' || domain.length < 4 || rest.length > 0 || exists) return undefined;
  const meant =
    comOnly.exec(domain)?.[1]?.concat('.com') ??
    known.find((one) => one.split('.')[0] === domain || typingErrors(domain, one) === 1) ??
    known.find((one) => one.length > 8 && typingErrors(domain, one) === 2);
  return meant === undefined ? undefined : `${local}@${meant}`;
}

/** The number of omitted, added, mistyped or swapped letters (optimal string alignment distance). */
function typingErrors(typed: string, meant: string): number {
  let before: number[] = [];
  let last = Array.from({ length: meant.length + 1 }, (_, index) => index);
  for (let row = 1; row <= typed.length; row += 1) {
    const now = [row];
    for (let column = 1; column <= meant.length; column += 1) {
      const same = typed[row - 1] === meant[column - 1] ? 0 : 1;
      const swapped = typed[row - 1] === meant[column - 2] && typed[row - 2] === meant[column - 1];
      now.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (now[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + same,
          swapped ? (before[column - 2] ?? Infinity) + 1 : Infinity,
        ),
      );
    }
    [before, last] = [last, now];
  }
  return last[meant.length] ?? 0;
}
