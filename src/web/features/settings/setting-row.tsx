import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Check } from '#web/ui/icon.tsx';
import styles from './settings.module.css';
import type { Elements } from '#web/ui/elements.ts';

export interface Row {
  readonly state: 'shut' | 'open' | 'left' | 'saved';
  readonly open: () => void;
  /** closes the form; `saved` says that the change was saved */
  readonly close: (saved?: boolean) => void;
}

/** Whether the form of a row is open; `wanted` opens it with the page. */
export function useRow(wanted = false): Row {
  const [state, setState] = useState<Row['state']>(wanted ? 'open' : 'shut');
  return { state, open: () => setState('open'), close: (saved = false) => setState(saved ? 'saved' : 'left') };
}

interface SettingRowProps {
  label: ReactNode;
  /** the current value */
  value: ReactNode;
  /** a row without one is read-only */
  row: Row | undefined;
  /** other actions, while the form is closed */
  below?: Elements;
  /** the form that changes it */
  children?: Elements;
}

/** One setting: its label, its value, and a button that opens its form. */
export function SettingRow({ label, value, row, below, children }: SettingRowProps) {
  const state = row?.state ?? 'shut';
  const button = useRef<HTMLButtonElement>(null);
  // the focused form was removed
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
          <span role="status">{state === 'saved' ? <SavedLabel /> : null}</span>
        </div>
      </div>
      {state === 'open' ? children : below}
    </div>
  );
}

export const SavedLabel = () => (
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

/** The submit and cancel buttons of a row's form. */
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
