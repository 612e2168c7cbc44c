import { Trans } from '@lingui/react/macro';
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
        <div className={styles.words}>
          <h2>
            <Trans>One cloud holds it all</Trans>
          </h2>
          <p>
            <Trans>Add films, series, music and pictures once. They are on every device as soon as you sign in.</Trans>
          </p>
        </div>
      </section>
      <section className={styles.track}>
        <div className={styles.words}>
          <h2>
            <Trans>It keeps track for you</Trans>
          </h2>
          <p>
            <Trans>Stop on the phone, go on with the TV. What you have seen and where you stopped comes along.</Trans>
          </p>
        </div>
        <TrackArt />
      </section>
      <section className={styles.whenever}>
        <div className={styles.words}>
          <h2>
            <Trans>Whenever it suits you</Trans>
          </h2>
          <p>
            <Trans>Before breakfast or long after midnight: it starts when you do, and waits when you stop.</Trans>
          </p>
        </div>
        <WheneverArt />
      </section>
      <section className={styles.wherever}>
        <div className={styles.words}>
          <h2>
            <Trans>Wherever you are</Trans>
          </h2>
          <p>
            <Trans>At home, on the train, in the mountains. A phone in the pocket is screen enough.</Trans>
          </p>
        </div>
        <WhereverArt />
      </section>
    </div>
  );
}
