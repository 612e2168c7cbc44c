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
  /** set where the alert appears while the page is open; leave out where it is part of the first render */
  live?: 'polite' | 'assertive' | undefined;
}

/** An important message in the flow of the page. */
export function Alert({ tone, title, children, action, live }: AlertProps) {
  const Icon = icons[tone];
  const role = live === 'assertive' ? 'alert' : live && 'status';
  return (
    <div
      ref={live === 'assertive' ? scrollIntoView : null}
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

/** A message about a long form may appear above the tapped button, outside the visible area. */
function scrollIntoView(element: HTMLDivElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
