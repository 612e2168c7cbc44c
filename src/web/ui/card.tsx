import type { ComponentProps } from 'react';
import styles from './card.module.css';
import { classNames } from './class-names.ts';

type CardProps = ComponentProps<'div'> & {
  as?: 'div' | 'section' | 'article' | 'aside' | 'li' | undefined;
  tone?: 'plain' | 'soft' | 'brand' | undefined;
};

/** A surface that holds what belongs together. */
export function Card({ as = 'div', tone = 'plain', className, ...rest }: CardProps) {
  // the five elements take the same attributes; React's types tell them apart only by the ref
  const Element = as as 'div';
  return <Element {...rest} className={classNames(styles.card, styles[tone], className)} />;
}
