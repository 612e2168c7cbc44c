import { Trans } from '@lingui/react/macro';
import { useEffect, useState, type MouseEvent } from 'react';
import { Button } from '#web/ui/button.tsx';
import { suggestedEmail } from './email-typo.ts';

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
