import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import CloudArt from '#web/ui/art/cloud.svg?react';
import TrackArt from '#web/ui/art/track.svg?react';
import WheneverArt from '#web/ui/art/whenever.svg?react';
import WhereverArt from '#web/ui/art/wherever.svg?react';
import styles from './home-page.module.css';
import type { Elements } from '#web/ui/elements.ts';

/** The four themes: two large pictures that alternate sides, and two side by side. */
export function Themes() {
  return (
    <div className={styles.parts}>
      <Theme wide art={<CloudArt />} title={<Trans>One cloud holds it all</Trans>}>
        <Trans>Add films, series, music and pictures once. They are on every device as soon as you sign in.</Trans>
      </Theme>
      <Theme wide art={<TrackArt />} title={<Trans>It keeps your place</Trans>}>
        <Trans>Start on your phone, finish on the TV. It remembers what you have watched and where you stopped.</Trans>
      </Theme>
      <Theme art={<WheneverArt />} title={<Trans>Whenever it suits you</Trans>}>
        <Trans>Before breakfast or long after midnight: it starts when you do, and waits when you stop.</Trans>
      </Theme>
      <Theme art={<WhereverArt />} title={<Trans>Wherever you are</Trans>}>
        <Trans>At home, on the train, in the mountains: the phone in your pocket is screen enough.</Trans>
      </Theme>
    </div>
  );
}

interface PartProps {
  wide?: boolean;
  art: Elements;
  title: ReactNode;
  children: ReactNode;
}

function Theme({ wide = false, art, title, children }: PartProps) {
  return (
    <section className={wide ? `${styles.part} ${styles.wide}` : styles.part}>
      {art}
      <div className={styles.words}>
        <h2>{title}</h2>
        <p>{children}</p>
      </div>
    </section>
  );
}
