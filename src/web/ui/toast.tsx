import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from './icon.tsx';
import { useStore } from './store.ts';
import { dismissToast, noToasts, toastStore, type Toast } from './toast-store.ts';
import styles from './toast.module.css';

const icons = { info: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert };

/** Milliseconds to read a message: a base, and more for every character. */
const readingTime = (text: string) => 4000 + text.length * 60;

function ToastLine({ toast }: { toast: Toast }) {
  const { t } = useLingui();
  const line = useRef<HTMLLIElement>(null);
  const Icon = icons[toast.tone];
  const { action } = toast;
  useEffect(() => {
    if (action) {
      void action.over.then(() => dismissToast(toast.id));
      return undefined;
    }
    // it stays while it has the pointer or the focus
    const leave = () => {
      if (line.current?.matches(':hover, :focus-within')) timer = setTimeout(leave, 1000);
      else dismissToast(toast.id);
    };
    let timer = setTimeout(leave, readingTime(toast.text));
    return () => clearTimeout(timer);
  }, [toast, action]);
  return (
    <li ref={line} className={styles.toast}>
      <Icon aria-hidden />
      <span>{toast.text}</span>
      {action ? (
        <button type="button" className={styles.action} onClick={action.act}>
          {action.label}
        </button>
      ) : (
        <button type="button" className={styles.close} aria-label={t`Dismiss`} onClick={() => dismissToast(toast.id)}>
          <X aria-hidden />
        </button>
      )}
    </li>
  );
}

/** Undefined in engines without popovers, because React logs an error for the attribute there. */
const popover = () => (typeof HTMLElement !== 'undefined' && 'popover' in HTMLElement.prototype ? 'manual' : undefined);

/** Where toasts appear; mounted once. A popover, so that a modal dialog does not cover it. */
export function ToastRegion() {
  const { t } = useLingui();
  const toasts = useStore(toastStore, noToasts);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const region = ref.current;
    if (!region || typeof region.showPopover !== 'function') return;
    if (region.matches(':popover-open')) region.hidePopover();
    if (toasts.length > 0) region.showPopover();
  }, [toasts]);
  return (
    <>
      <div ref={ref} popover={popover()} role="region" aria-label={t`Notice`} className={styles.region}>
        <ul className={styles.list}>
          {toasts.map((toast) => (
            <ToastLine key={toast.id} toast={toast} />
          ))}
        </ul>
      </div>
      <p className="sr-only" role="status">
        {toasts.at(-1)?.text}
      </p>
    </>
  );
}
