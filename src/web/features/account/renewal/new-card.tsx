import { Trans } from '@lingui/react/macro';
import { useRef } from 'react';
import type { PaymentMethod } from '#contract/billing.ts';
import type { CardPurpose } from '#contract/cards.ts';
import type { Input } from '#contract/endpoint.ts';
import type { changeCard, RenewalInfo } from '#contract/renewal.ts';
import {
  requiredGroups,
  emptyPayerForm,
  toCard,
  toPayer,
  type RequiredGroup,
  type PayerForm,
  type PayerKey,
} from '#web/domain/payments/payer/payer-form.ts';
import { payerDraft } from '#web/domain/payments/payer/payer-memory.ts';
import { useKnownPayer, type KnownPayer } from '#web/domain/payments/payer/known-payer.tsx';
import { PayerFields } from '#web/domain/payments/payer/payer-fields.tsx';
import { payerProblems } from '#web/domain/payments/payer/payer-problems.ts';
import { refusedRequiredInput, refusedInputMessage, payerMessages } from '#web/domain/payments/payer/refused-input.ts';
import { isOutcomeUnknown, type CallError } from '#web/platform/api/api-error.ts';
import { messageOfCode, messageOfError } from '#web/platform/api/error-message.ts';
import type { Refusal } from '#web/platform/form/form-state.ts';
import { useForm } from '#web/platform/form/use-form.ts';
import { localizedMessage } from '#web/platform/form/localized-message.ts';
import { uuid } from '#web/platform/session/uuid.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { useSession } from '#web/platform/session/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from '../account.module.css';
import { GoToPage, type RenewalMethods } from './card-page.tsx';
import type { Elements } from '#web/ui/elements.ts';

export interface NewCardProps {
  info: RenewalInfo;
  /** the method of the card; undefined if no method takes new cards */
  method: RenewalMethods['ofCards'];
  /** the action that needs the card, when it is typed at a provider's page */
  purpose: CardPurpose;
  /** verifies and saves the card; resolves to the error */
  onSend: (body: Input<typeof changeCard>['body'], idempotencyKey: string) => Promise<CallError | undefined>;
  children: Elements;
}

/** A new card, with the payer data that its method requires. `children` is the label of the button. */
export function NewCard({ info, method, purpose, ...props }: NewCardProps) {
  const { currency } = info.terms.price;
  if (!method) {
    return (
      <Problem>
        <Trans>You can’t add a new card right now. Choose a saved one.</Trans>
      </Problem>
    );
  }
  if (method.fields.includes('cardPage')) {
    const hint = (
      <Trans>Enter your card on our payment provider’s page, then come back here. You won’t be charged for this.</Trans>
    );
    return (
      <GoToPage methodCode={method.code} currency={currency} purpose={purpose} hint={hint}>
        <Trans>Add card</Trans>
      </GoToPage>
    );
  }
  return <CardForm method={method} currency={currency} {...props} />;
}

type CardFormProps = Omit<NewCardProps, 'info' | 'purpose' | 'method'> & { method: PaymentMethod; currency: string };

function CardForm({ method, currency, onSend, children }: CardFormProps) {
  const known = useKnownPayer(method.fields);
  const asked = requiredGroups(method.fields, { savedGroups: known.savedGroups });
  const form = useCardForm({ method, currency, onSend, asked, known });
  if (known.loading) return <Skeleton lines={4} height={60} />;
  return (
    <form {...form.formProps} className={styles.form}>
      <PayerFields asked={asked} payer={form} context={{ mobileCode: method.diallingCode, currency }} known={known} />
      <p className={styles.soft}>
        <Trans>Our payment provider checks and stores your card. We never store its number or security code.</Trans>
      </p>
      <Problem>{form.summary}</Problem>
      <Button type="submit" busy={form.isSubmitting}>
        {children}
      </Button>
    </form>
  );
}

// `useForm` takes records; an interface has no index signature, the mapped type has.
type Values = { readonly [Key in PayerKey]: string };

interface CardFormSettings extends Omit<CardFormProps, 'children'> {
  readonly asked: readonly RequiredGroup[];
  readonly known: KnownPayer;
}

function useCardForm({ method, currency, onSend, asked, known }: CardFormSettings) {
  const uid = useSession()?.uid ?? '';
  const key = useRef<string>(undefined);
  const form = useForm<Values>({
    initial: emptyPayerForm,
    draft: payerDraft(uid),
    check: (values) => {
      const problems = payerProblems(values, asked, { now: serverNow(), currency });
      return Object.fromEntries(
        Object.entries(problems).map(([name, problem]) => [name, localizedMessage(payerMessages[problem])]),
      );
    },
    submit: async (values) => {
      key.current ??= uuid();
      const keeps = known.savedGroups === undefined ? {} : { keepPayer: true };
      const refusal = await onSend({ ...bodyOf(method, values, asked), ...keeps }, key.current);
      if (!refusal) return undefined;
      // while the outcome is unknown, a repetition must use the same key, and no other
      if (!isOutcomeUnknown(refusal)) {
        key.current = undefined;
        // the customer did not empty the code, so no error is shown until the form is sent again
        form.resetField('code');
      }
      return placeOf(refusal, asked);
    },
  });
  const fill = (values: Partial<Record<PayerKey, string>>) => {
    key.current = undefined;
    // the keys of a part of the form
    for (const name of Object.keys(values) as PayerKey[]) form.setValue(name, values[name] ?? '');
  };
  return { ...form, fill };
}

function bodyOf(
  { code }: PaymentMethod,
  form: PayerForm,
  asked: readonly RequiredGroup[],
): Input<typeof changeCard>['body'] & { methodCode: string } {
  const card = toCard(form, asked);
  if (!card) throw new Error(`${code} takes no cards`);
  return { methodCode: code, card, payer: toPayer(form, asked) };
}

/** Shows an error at the input that can correct it, else above the button. A refused card shows the reason. */
function placeOf(refusal: CallError, fields: readonly RequiredGroup[]): Refusal<Values> {
  const { code, params } = refusal;
  if (code === undefined) return { summary: (i18n) => messageOfError(i18n, refusal) };
  const reason = refusal.is('billingCardNotUpdated') ? (params.declineCode ?? code) : code;
  const key = refusedRequiredInput(reason === code ? { code, field: params.field } : { code: reason }, fields);
  if (key) return { fields: { [key]: refusedInputMessage(key, reason, reason === code) } };
  if (reason === code) return { summary: (i18n) => messageOfError(i18n, refusal) };
  return { summary: (i18n) => `${messageOfCode(i18n, code)}. ${messageOfCode(i18n, reason)}` };
}
