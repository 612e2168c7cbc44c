import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { CloudArt } from '../../ui/art/cloud-art.tsx';
import { TrackArt } from '../../ui/art/track-art.tsx';
import { WheneverArt } from '../../ui/art/whenever-art.tsx';
import { WhereverArt } from '../../ui/art/wherever-art.tsx';
import styles from './themes.module.css';

/** Cloud, track, whenever, wherever: four pictures of different size and weight, so that the page has a rhythm. */
export function Themes() {
  return (
    <div className={styles.themes}>
      <section className={styles.cloud}>
        <CloudArt />
        <Words title={<Trans>One cloud holds it all</Trans>}>
          <Trans>Add films, series, music and pictures once. They are on every device as soon as you sign in.</Trans>
        </Words>
      </section>
      <section className={styles.track}>
        <Words title={<Trans>It keeps track for you</Trans>}>
          <Trans>Stop on the phone, go on with the TV. What you have seen and where you stopped comes along.</Trans>
        </Words>
        <TrackArt />
      </section>
      <section className={styles.whenever}>
        <Words title={<Trans>Whenever it suits you</Trans>}>
          <Trans>Before breakfast or long after midnight: it starts when you do, and waits when you stop.</Trans>
        </Words>
        <WheneverArt />
      </section>
      <section className={styles.wherever}>
        <Words title={<Trans>Wherever you are</Trans>}>
          <Trans>At home, on the train, in the mountains. A phone in the pocket is screen enough.</Trans>
        </Words>
        <WhereverArt />
      </section>
    </div>
  );
}

function Words({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.words}>
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  );
}
