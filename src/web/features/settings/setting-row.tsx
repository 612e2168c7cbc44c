import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Check } from '#web/ui/icon.tsx';
import styles from './settings.module.css';
import type { Elements } from '#web/ui/elements.ts';

export interface Row {
  readonly state: 'shut' | 'open' | 'left' | 'saved';
  readonly open: () => void;
  /** shuts the form; `saved` says that it has done its work */
  readonly close: (saved?: boolean) => void;
}

/** Whether the form of a row is open. */
export function useRow(): Row {
  const [state, setState] = useState<Row['state']>('shut');
  return { state, open: () => setState('open'), close: (saved = false) => setState(saved ? 'saved' : 'left') };
}

interface SettingRowProps {
  label: ReactNode;
  /** what is set now */
  value: ReactNode;
  /** a row without one can only be looked at */
  row: Row | undefined;
  /** what else can be done about it, while that form is shut */
  below?: Elements;
  /** the form that changes it */
  children?: Elements;
}

/** One thing that is set: what it is, what it is now, and a button that opens the form for it. */
export function SettingRow({ label, value, row, below, children }: SettingRowProps) {
  const state = row?.state ?? 'shut';
  const button = useRef<HTMLButtonElement>(null);
  // the form that had the focus is gone
  useEffect(() => {
    if (state === 'left' || state === 'saved') button.current?.focus();
  }, [state]);
  return (
    <div className={styles.row}>
      <div className={styles.line}>
        {row && state !== 'open' ? (
          <Button variant="quiet" ref={button} onClick={row.open}>
            <Trans>
              Change<span className="sr-only"> {label}</span>
            </Trans>
          </Button>
        ) : null}
        <div className={styles.words}>
          <b>{label}</b>
          <span>{value}</span>
          <span role="status">{state === 'saved' ? <SavedWords /> : null}</span>
        </div>
      </div>
      {state === 'open' ? children : below}
    </div>
  );
}

export const SavedWords = () => (
  <span className={styles.saved}>
    <Check aria-hidden />
    <Trans>Saved</Trans>
  </span>
);

interface FormActionsProps {
  busy: boolean;
  children: Elements;
  onCancel: () => void;
}

/** The button that sends a form of a row, and the way out of it. */
export function FormActions({ busy, children, onCancel }: FormActionsProps) {
  return (
    <div className={styles.formActions}>
      <Button type="submit" busy={busy}>
        {children}
      </Button>
      <Button variant="quiet" onClick={onCancel}>
        <Trans>Cancel</Trans>
      </Button>
    </div>
  );
}
