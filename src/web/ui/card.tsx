import type { ComponentProps } from 'react';
import styles from './card.module.css';
import { classNames } from './class-names.ts';

type CardProps = ComponentProps<'div'> & {
  as?: 'div' | 'section' | 'article' | 'aside' | 'li' | undefined;
  tone?: 'plain' | 'soft' | 'brand' | undefined;
};

/** A surface for related content. */
export function Card({ as = 'div', tone = 'plain', className, ...rest }: CardProps) {
  // as: the five elements accept the same attributes; React's types differ only in the ref
  const Element = as as 'div';
  return <Element {...rest} className={classNames(styles.card, styles[tone], className)} />;
}
