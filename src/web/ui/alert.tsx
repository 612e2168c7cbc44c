import type { ReactNode } from 'react';
import styles from './alert.module.css';
import { classNames } from './class-names.ts';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from './icon.tsx';

const icons = { info: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert };

interface AlertProps {
  tone: keyof typeof icons;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** set where the alert appears while the page is open; leave out where it was there from the start */
  live?: 'polite' | 'assertive' | undefined;
}

/** A sentence that matters, in the flow of the page. */
export function Alert({ tone, title, children, action, live }: AlertProps) {
  const Icon = icons[tone];
  const role = live === 'assertive' ? 'alert' : live && 'status';
  return (
    <div
      ref={live === 'assertive' ? bringIntoSight : null}
      className={classNames(styles.alert, styles[tone])}
      role={role}
    >
      <Icon aria-hidden />
      <div className={styles.words}>
        {title ? <p className={styles.title}>{title}</p> : null}
        {children ? <div>{children}</div> : null}
        {action ? <div className={styles.action}>{action}</div> : null}
      </div>
    </div>
  );
}

/** What is said about a long form may come above the button that was tapped, where nobody looks. */
function bringIntoSight(element: HTMLDivElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
