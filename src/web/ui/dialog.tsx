import { useLingui } from '@lingui/react/macro';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import styles from './dialog.module.css';
import { X } from './icon.tsx';
import type { Elements } from './elements.ts';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children?: Elements;
  actions?: ReactNode;
}

/** The native modal dialog: it traps the focus, closes on Escape and on a tap outside, and restores the focus. */
export function Dialog({ open, onClose, title, children, actions }: DialogProps) {
  const { t } = useLingui();
  const titleId = useId();
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (open && dialog && !dialog.open) dialog.showModal();
    if (!open) dialog?.close();
  }, [open]);
  return (
    <dialog ref={ref} className={styles.dialog} aria-labelledby={titleId} onClose={onClose} closedby="any">
      {open && (
        <div className={styles.body}>
          <h2 className={styles.title} id={titleId}>
            {title}
          </h2>
          {children}
          {actions ? <div className={styles.actions}>{actions}</div> : null}
          <button type="button" className={styles.close} aria-label={t`Close`} onClick={onClose}>
            <X aria-hidden />
          </button>
        </div>
      )}
    </dialog>
  );
}
