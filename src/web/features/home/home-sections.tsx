import { Trans } from '@lingui/react/macro';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '#web/platform/brand/link.tsx';
import { useDeferredValue, type ReactNode } from 'react';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { ChevronDown } from '#web/ui/icon.tsx';
import { MethodDrawing } from '#web/ui/marks/method-drawings.tsx';
import { MarkFrame } from '#web/ui/marks/method-mark.tsx';
import styles from './home-page.module.css';
import { HomePlans } from './home-plans.tsx';
import { helpQuery, plansQuery } from './home-queries.ts';
import CloudArt from '#web/ui/art/cloud.svg?react';
import TrackArt from '#web/ui/art/track.svg?react';
import WheneverArt from '#web/ui/art/whenever.svg?react';
import WhereverArt from '#web/ui/art/wherever.svg?react';
import type { Elements } from '#web/ui/elements.ts';

/** How many help questions the home page answers: the first ones of the document. */
const shownQuestions = 4;

/**
 * The app in four pictures, the payment methods and frequent questions; the plans are in between unless they are first.
 */
export function HomeSections({ withPlans }: { withPlans: boolean }) {
  return (
    <div className={styles.more}>
      {withPlans ? <Themes /> : null}
      {withPlans ? <HomePlans /> : null}
      <WaysToPay />
      {withPlans ? null : <Themes />}
      <Questions />
    </div>
  );
}

/** All payment methods in all currencies; the checkout shows those of a plan. */
function WaysToPay() {
  const { data } = useSuspenseQuery(plansQuery(useDeferredValue(useLanguage())));
  if (data.methods.length === 0) return null;
  return (
    <section className={styles.words}>
      <h2>
        <Trans>Pay the way you like</Trans>
      </h2>
      <ul className={styles.ways}>
        {data.methods.map(({ code, icon, name }) => (
          <li key={code}>
            <MarkFrame>
              <MethodDrawing code={code} icon={icon} />
            </MarkFrame>
            <span>{name}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The first help questions; the operator defines their order. */
function Questions() {
  const { data } = useQuery(helpQuery(useDeferredValue(useLanguage())));
  if (!data) return null;
  return (
    <section className={styles.words}>
      <h2>
        <Trans>Common questions</Trans>
      </h2>
      <div className={styles.questions}>
        {data.sections.slice(0, shownQuestions).map(({ heading, paragraphs }) => (
          <details key={heading} className={styles.question}>
            <summary>
              <span>{heading}</span>
              <ChevronDown aria-hidden />
            </summary>
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </details>
        ))}
      </div>
      <div>
        <Link to="/help" className={buttonClass({ variant: 'secondary' })}>
          <Trans>All questions</Trans>
        </Link>
      </div>
    </section>
  );
}

/** The four themes: two large pictures that alternate sides, and two side by side. */
function Themes() {
  return (
    <div className={styles.parts}>
      <Theme wide art={<CloudArt />} title={<Trans>One cloud holds it all</Trans>}>
        <Trans>Add films, series, music and photos once. They’re on every device as soon as you log in.</Trans>
      </Theme>
      <Theme wide art={<TrackArt />} title={<Trans>Picks up where you left off</Trans>}>
        <Trans>Start on your phone, finish on the TV. It remembers what you’ve watched and where you stopped.</Trans>
      </Theme>
      <Theme art={<WheneverArt />} title={<Trans>Whenever it suits you</Trans>}>
        <Trans>Before breakfast or long after midnight: it starts when you do and waits when you stop.</Trans>
      </Theme>
      <Theme art={<WhereverArt />} title={<Trans>Wherever you are</Trans>}>
        <Trans>At home, on the train or in the mountains: all you need is the phone in your pocket.</Trans>
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
