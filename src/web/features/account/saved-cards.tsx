import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listCard, type SavedCard } from '../../../contract/cards.ts';
import { q } from '../../api/query.ts';
import { cardExpiry, cardName } from '../../payment-state/card-name.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CreditCard } from '../../ui/icon.tsx';
import styles from './account.module.css';
import { DeleteCard } from './delete-card.tsx';
import { useFocusWhenFewer } from './use-focus-when-fewer.ts';

/** The call behind it; the page does without it where it cannot be had. */
const cardsQuery = q(listCard, { body: {} }, { quiet: true });

/** The cards that the customer can pay by without typing them again, and the way to be rid of one. */
export function SavedCards() {
  const { data } = useQuery(cardsQuery);
  const heading = useFocusWhenFewer(data?.length);
  if (!data) return null;
  return (
    <Card as="section" aria-labelledby="saved-cards" className={styles.wide}>
      <h2 className={styles.heading} id="saved-cards" ref={heading} tabIndex={-1}>
        <Trans>Saved cards</Trans>
      </h2>
      {data.length === 0 ? (
        <p className={styles.soft}>
          <Trans>You have no saved cards. When you pay by card, you can save it for the next time.</Trans>
        </p>
      ) : (
        <ul className={styles.logins}>
          {data.map((card) => (
            <OneCard key={card.cardId} card={card} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function OneCard({ card }: { card: SavedCard }) {
  const [problem, setProblem] = useState<string>();
  const [asking, setAsking] = useState(false);
  const name = cardName(card);
  const until = cardExpiry(card);
  const ask = () => {
    setProblem(undefined);
    setAsking(true);
  };
  return (
    <li className={styles.savedCard}>
      <CreditCard aria-hidden />
      <span>
        <strong className="num">{name}</strong>
        <span className={styles.soft}>
          {card.expired ? <Trans>Expired {until}</Trans> : <Trans>Expires {until}</Trans>}
        </span>
        {problem ? (
          <span className={styles.problem} role="alert">
            {problem}
          </span>
        ) : null}
      </span>
      <Button variant="quiet" onClick={ask}>
        <Trans>
          Delete<span className="sr-only"> {name}</span>
        </Trans>
      </Button>
      <DeleteCard card={card} open={asking} onClose={() => setAsking(false)} onRefused={setProblem} />
    </li>
  );
}
