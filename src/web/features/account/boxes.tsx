import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listBoxes, type SignedInBox } from '#contract/boxes.ts';
import { q } from '#web/platform/api/query.ts';
import { boxName } from '#web/domain/account/names.tsx';
import { isKnownEmpty, useWasEverTrue } from '#web/domain/payments/when-known.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Tv } from '#web/ui/icon.tsx';
import styles from './account.module.css';
import { EndBox } from './end-box.tsx';
import { useFocusAfterRemoval } from './use-focus-after-removal.ts';
import { timeText } from '#web/platform/i18n/day-text.ts';

/** The query of the list; the page works without it. */
const boxesQuery = q(listBoxes, { body: {} }, { quiet: true });

/** The TV devices that are logged in to this account, each with a logout button. */
export function Boxes() {
  const { data, error, dataUpdatedAt: readAt } = useQuery(boxesQuery);
  const heading = useFocusAfterRemoval(data?.length);
  // Unknown is not empty. The heading, which receives the focus of a removed row, stays if a later read fails.
  const isShown = useWasEverTrue(data !== undefined && (data.length > 0 || isKnownEmpty({ error, readAt })));
  if (!data || !isShown) return null;
  return (
    <Card as="section" aria-labelledby="boxes">
      <h2 className={styles.heading} id="boxes" ref={heading} tabIndex={-1}>
        <Trans>Your TVs</Trans>
      </h2>
      {data.length === 0 ? (
        <p className={styles.soft}>
          <Trans>No TV is signed in. Open the app on your TV and scan the code that it shows.</Trans>
        </p>
      ) : (
        <ul className={styles.logins}>
          {data.map((box) => (
            <OneBox key={box.boxId} box={box} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function OneBox({ box }: { box: SignedInBox }) {
  const { i18n } = useLingui();
  const [problem, setProblem] = useState<string>();
  const [asking, setAsking] = useState(false);
  const name = boxName(i18n, box);
  const since = timeText(i18n, box.signedInAt);
  const ask = () => {
    setProblem(undefined);
    setAsking(true);
  };
  return (
    <li className={styles.savedCard}>
      <Tv aria-hidden />
      <span>
        <strong>{name}</strong>
        <span className={styles.soft}>
          <Trans>Since {since}</Trans>
        </span>
        {problem ? (
          <span className={styles.problem} role="alert">
            {problem}
          </span>
        ) : null}
      </span>
      <Button variant="quiet" onClick={ask}>
        <Trans>
          Sign out<span className="sr-only"> {name}</span>
        </Trans>
      </Button>
      <EndBox box={box} name={name} open={asking} onClose={() => setAsking(false)} onRefused={setProblem} />
    </li>
  );
}
