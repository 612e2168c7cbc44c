import { Trans, useLingui } from '@lingui/react/macro';
import { ShieldCheck, ArrowRight } from '#web/ui/icon.tsx';
import styles from '../checkout.module.css';
import { CurrencySelect, useChooseCurrency } from '../price/currency-select.tsx';
import type { Choices } from '../use-choices.ts';
import type { Purchase } from '../price/use-purchase.ts';
import type { Elements } from '#web/ui/elements.ts';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import type { PaymentMethod } from '#contract/billing.ts';
import { paymentMethods } from '#contract/billing.ts';
import { formatPercent } from '#contract/numbers.ts';
import { roundPercentDown } from '#contract/plan.ts';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { useQueries } from '@tanstack/react-query';
import { q } from '#web/platform/api/query.ts';
import currencyStyles from './other-currencies.module.css';
import { schemesIn } from '#web/domain/payments/payer/card-brand.ts';
import { MethodMark, SchemeMark } from '#web/ui/marks/method-mark.tsx';
import iconStyles from './method-icon.module.css';

interface MethodStepProps {
  purchase: Purchase;
  currencies: readonly string[];
  choices: Choices;
  /** the form of the chosen method, if it expands below it */
  details: Elements;
  /** continues to the details of the tapped method, if these are a step of their own */
  onTap: (() => void) | undefined;
  children: Elements;
}

/** The first step: currency and method. */
export function MethodStep({ purchase, currencies, choices, details, onTap, children }: MethodStepProps) {
  return (
    <div className={styles.main}>
      {children}
      <CurrencySelect currencies={currencies} currency={purchase.input.currency} choices={choices} />
      {details ? null : (
        <p className={styles.hint}>
          <ShieldCheck aria-hidden />
          <Trans>You pay in the next step. Nothing is charged yet.</Trans>
        </p>
      )}
      <MethodList
        methods={purchase.methods}
        value={purchase.method.code}
        onChange={(methodCode) => choices.choose({ methodCode })}
        onTap={onTap}
        details={details}
      />
      <OtherCurrencies purchase={purchase} currencies={currencies} choices={choices} />
    </div>
  );
}

interface MethodListProps {
  methods: readonly PaymentMethod[];
  value: string;
  onChange: (code: string) => void;
  onTap: (() => void) | undefined;
  /** of the chosen method */
  details: ReactNode;
}

/** The payment methods, with their discounts and durations. */
function MethodList({ methods, value, onChange, onTap, details }: MethodListProps) {
  const { t } = useLingui();
  const ref = useOptionTap(onTap);
  return (
    <div ref={ref}>
      <ChoiceGroup
        legend={t`Payment method`}
        name="method"
        value={value}
        onChange={onChange}
        unfolded={details}
        options={methods.map((method) => ({
          value: method.code,
          label: method.name,
          icon: <MethodIcon code={method.code} icon={method.icon} />,
          detail: (
            <>
              <MethodDetail method={method} />
              {method.icon === 'card' ? <CardMarks currencies={method.currencies} /> : null}
            </>
          ),
          ...(method.discount > 0 ? { badge: <DiscountPill percent={method.discount} /> } : {}),
        }))}
      />
    </div>
  );
}

/** Calls `onTap` for a tap on an option, chosen before or not. Arrow keys, whose clicks have no count, only choose. */
function useOptionTap(onTap: (() => void) | undefined): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = ref.current;
    if (!list || !onTap) return undefined;
    const listen = ({ detail, target }: MouseEvent) => {
      // later: the label passes the click on to its input, which must still be on the page to be chosen
      if (detail > 0 && target instanceof Element && target.closest('label')) setTimeout(onTap);
    };
    list.addEventListener('click', listen);
    return () => list.removeEventListener('click', listen);
  }, [onTap]);
  return ref;
}

function MethodDetail({ method }: { method: PaymentMethod }) {
  const { maxInstallments, settles } = method;
  if (maxInstallments > 1 && settles === 'instant') {
    return <Trans>Confirmed instantly. Up to {maxInstallments} installments.</Trans>;
  }
  switch (settles) {
    case 'instant':
      return <Trans>Confirmed instantly</Trans>;
    case 'minutes':
      return <Trans>Confirmed within minutes</Trans>;
    case 'days':
      return <Trans>Takes up to 3 business days</Trans>;
  }
}

function DiscountPill({ percent }: { percent: number }) {
  const { i18n } = useLingui();
  const share = formatPercent(roundPercentDown(percent), i18n.locale);
  return (
    <Pill tone="success">
      <Trans>{share} off</Trans>
    </Pill>
  );
}

interface OtherCurrenciesProps {
  purchase: Pick<Purchase, 'input' | 'methods'>;
  currencies: readonly string[];
  choices: Choices;
}

/**
 * Methods that only another currency has, each with a button that switches to it. What is loaded here is cached for
 * that currency's screen.
 */
function OtherCurrencies({ purchase, currencies, choices }: OtherCurrenciesProps) {
  const { i18n } = useLingui();
  const choose = useChooseCurrency(choices);
  const waiting = useWaiting(currencies, purchase);
  if (waiting.length === 0) return null;
  const names = new Intl.DisplayNames([i18n.locale], { type: 'currency' });
  return (
    <section className={currencyStyles.others} aria-labelledby="other-currencies">
      <h2 id="other-currencies" className={currencyStyles.title}>
        <Trans>More payment methods in another currency</Trans>
      </h2>
      <ul className={currencyStyles.list}>
        {waiting.map(({ code, methods: [first, ...rest] }) => (
          <li key={code}>
            <button
              type="button"
              className={currencyStyles.row}
              onClick={() => {
                choose(code, first.code);
                focusOnMethod();
              }}
            >
              <MethodIcon icon={first.icon} />
              <span className={currencyStyles.words}>
                <b>{[first, ...rest].map(({ name }) => name).join(', ')}</b>
                <span className={currencyStyles.currency}>
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

/** By currency, the methods that the chosen currency lacks, without those that this device may lack. */
function useWaiting(currencies: readonly string[], { input, methods }: OtherCurrenciesProps['purchase']): Waiting[] {
  const { planId } = input;
  const others = currencies.filter((code) => code !== input.currency);
  const lists = useQueries({
    queries: others.map((currency) => q(paymentMethods, { body: { planId, currency } }, { quiet: true })),
  });
  const isKnown = ({ code }: PaymentMethod) => methods.some((known) => known.code === code);
  return others.flatMap((code, index) => {
    const more = lists[index]?.data?.filter((method) => !isKnown(method) && method.wallet === undefined) ?? [];
    const [first, ...rest] = more;
    return first ? [{ code, methods: [first, ...rest] }] : [];
  });
}

/** The tapped row is removed with its currency; the method that it selected receives the focus. */
function focusOnMethod(): void {
  setTimeout(() => document.querySelector<HTMLElement>('input[name="method"]:checked')?.focus());
}

/** The logo of a method; without a code, that of its family. */
export function MethodIcon({ code = '', icon }: { code?: string; icon: string }) {
  return <MethodMark code={code} icon={icon} />;
}

interface CardMarksProps {
  /** ISO 4217: which schemes are common depends on the currency */
  currencies: readonly string[];
}

/** The accepted card schemes, as many as fit in one line. */
function CardMarks({ currencies }: CardMarksProps) {
  return (
    <span className={iconStyles.marks}>
      {schemesIn(currencies).map((scheme) => (
        <SchemeMark key={scheme} scheme={scheme} />
      ))}
    </span>
  );
}
