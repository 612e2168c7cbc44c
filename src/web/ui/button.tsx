import type { ComponentProps, MouseEvent } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';
import { Ring } from './spinner.tsx';
import type { Elements } from './elements.ts';

interface ButtonStyle {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger' | undefined;
  size?: 'md' | 'lg' | undefined;
  wide?: boolean | undefined;
}

/** The button styles, for a link. */
export function buttonClass({ variant = 'primary', size = 'md', wide = false }: ButtonStyle = {}): string {
  return classNames(styles.button, styles[variant], size === 'lg' && styles.lg, wide && styles.wide);
}

type ButtonProps = ButtonStyle &
  Omit<ComponentProps<'button'>, 'children'> & {
    busy?: boolean | undefined;
    onEarlyClick?: (() => void) | undefined;
    children?: Elements;
  };

/** A busy button keeps its label, its width and the focus. A tap on it only calls `onEarlyClick`. */
export function Button({
  variant,
  size,
  wide,
  busy = false,
  className,
  children,
  onClick,
  onEarlyClick,
  ...rest
}: ButtonProps) {
  const guard = (event: MouseEvent<HTMLButtonElement>) => {
    if (!busy) return onClick?.(event);
    event.preventDefault();
    return onEarlyClick?.();
  };
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      className={classNames(buttonClass({ variant, size, wide }), className)}
      onClick={guard}
    >
      {busy && <Ring />}
      {children}
    </button>
  );
}
