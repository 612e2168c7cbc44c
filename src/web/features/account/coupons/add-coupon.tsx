import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addCoupon, listCoupons } from '#contract/coupons.ts';
import { couponOnlyFor, couponProblem, couponWait } from '#web/domain/payments/coupon-words.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { useForm, withoutSpaces } from '#web/platform/form/use-form.ts';
import type { Words } from '#web/platform/form/words.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import styles from './coupons.module.css';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

interface Values {
  coupon: string;
}

const typedCode = (text: string) => withoutSpaces(text).toUpperCase();

function plainWords(error: CallError): Words | undefined {
  const { onlyFor, waitSeconds } = error.params;
  return couponOnlyFor(onlyFor) ?? (error.is('tooFrequent') && waitSeconds ? couponWait(waitSeconds) : undefined);
}

function useAddForm() {
  const client = useQueryClient();
  const [added, setAdded] = useState<string>();
  const adding = useApiMutation(addCoupon, {
    onSuccess: async (coupon) => {
      setAdded(coupon.code);
      form.setValue('coupon', '');
      await refreshQueries(client, { queryKey: q(listCoupons, { body: {} }).queryKey });
    },
    message: plainWords,
  });
  const form = useForm<Values & Record<string, string>>({
    initial: { coupon: '' },
    check: ({ coupon }) => ({ coupon: couponProblem(coupon) }),
    submit: async ({ coupon: code }) => {
      setAdded(undefined);
      return (await adding.send({ body: { code } })).refusal;
    },
  });
  return { ...form, added };
}

/** Adds a coupon by its code. */
export function AddCoupon() {
  const { t } = useLingui();
  const { formProps, register, isSubmitting, summary, added } = useAddForm();
  const coupon = register('coupon', { setValueAs: typedCode });
  const isAdded = added !== undefined && !coupon.error && !summary;
  return (
    <form className={styles.add} {...formProps}>
      <Problem>{summary}</Problem>
      <Field
        {...coupon}
        label={t`Coupon code`}
        type="text"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        enterKeyHint="done"
        suffix={
          <Button type="submit" variant="quiet" busy={isSubmitting}>
            <Trans>Add</Trans>
          </Button>
        }
      />
      <p className={styles.added} role="status">
        {!isAdded ? null : <Trans>The coupon {added} is yours.</Trans>}
      </p>
    </form>
  );
}
