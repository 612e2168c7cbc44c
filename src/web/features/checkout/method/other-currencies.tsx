import { Trans, useLingui } from '@lingui/react/macro';
import { useQueries } from '@tanstack/react-query';
import { paymentMethods, type PaymentMethod } from '#contract/billing.ts';
import { q } from '#web/platform/api/query.ts';
import { ArrowRight } from '#web/ui/icon.tsx';
import { useChooseCurrency } from '../price/currency-select.tsx';
import type { Purchase } from '../price/use-purchase.ts';
import type { Choices } from '../use-choices.ts';
import { MethodIcon } from './method-icon.tsx';
import styles from './other-currencies.module.css';

interface OtherCurrenciesProps {
  purchase: Pick<Purchase, 'input' | 'methods'>;
  currencies: readonly string[];
  choices: Choices;
}

/**
 * Methods that only another currency has, each with a button that switches to it. What is loaded here is cached for
 * that currency's screen.
 */
export function OtherCurrencies({ purchase, currencies, choices }: OtherCurrenciesProps) {
  const { i18n } = useLingui();
  const choose = useChooseCurrency(choices);
  const waiting = useWaiting(currencies, purchase);
  if (waiting.length === 0) return null;
  const names = new Intl.DisplayNames([i18n.locale], { type: 'currency' });
  return (
    <section className={styles.others} aria-labelledby="other-currencies">
      <h2 id="other-currencies" className={styles.title}>
        <Trans>More ways to pay in another currency</Trans>
      </h2>
      <ul className={styles.list}>
        {waiting.map(({ code, methods: [first, ...rest] }) => (
          <li key={code}>
            <button
              type="button"
              className={styles.row}
              onClick={() => {
                choose(code, first.code);
                focusOnMethod();
              }}
            >
              <MethodIcon icon={first.icon} />
              <span className={styles.words}>
                <b>{[first, ...rest].map(({ name }) => name).join(', ')}</b>
                <span className={styles.currency}>
                  <Trans>
                    Pay in {code} ({names.of(code) ?? code})
                  </Trans>
                </span>
              </span>
              <ArrowRight aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Waiting {
  readonly code: string;
  readonly methods: readonly [PaymentMethod, ...PaymentMethod[]];
}

/** By currency, the methods that the chosen currency lacks. */
function useWaiting(currencies: readonly string[], { input, methods }: OtherCurrenciesProps['purchase']): Waiting[] {
  const { planId } = input;
  const others = currencies.filter((code) => code !== input.currency);
  const lists = useQueries({
    queries: others.map((currency) => q(paymentMethods, { body: { planId, currency } }, { quiet: true })),
  });
  return others.flatMap((code, index) => {
    const more = lists[index]?.data?.filter((method) => !methods.some((known) => known.code === method.code)) ?? [];
    const [first, ...rest] = more;
    return first ? [{ code, methods: [first, ...rest] }] : [];
  });
}

/** The tapped row is removed with its currency; the method that it selected receives the focus. */
function focusOnMethod(): void {
  setTimeout(() => document.querySelector<HTMLElement>('input[name="method"]:checked')?.focus());
}
