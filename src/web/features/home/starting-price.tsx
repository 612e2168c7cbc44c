import { Plural, Trans } from '@lingui/react/macro';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useLanguage } from '../../i18n/active.ts';
import { MoneyText } from '../../ui/money-text.tsx';
import { plansQuery } from './home-queries.ts';
import styles from './home-page.module.css';

/** The smallest amount that anybody can pay here, and for how long: true as it stands, nothing divided. */
export function StartingPrice() {
  const language = useLanguage();
  const { data } = useSuspenseQuery(plansQuery(useDeferredValue(language)));
  const [first, ...others] = data.plans;
  if (!first) return null;
  const cheapest = others.reduce((best, plan) => (plan.price.amount < best.price.amount ? plan : best), first);
  return (
    <p className={styles.price}>
      <Trans>
        from{' '}
        <strong>
          <MoneyText money={cheapest.price} language={language} />
        </strong>{' '}
        for <Plural value={cheapest.days} one="# day" other="# days" />
      </Trans>
    </p>
  );
}
