import { Trans } from '@lingui/react/macro';
import styles from './skip-link.module.css';

/** The id of every layout's main element. */
export const contentId = 'content';

export function SkipLink() {
  return (
    <a className={styles.skip} href={`#${contentId}`}>
      <Trans>Skip to content</Trans>
    </a>
  );
}
