import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addCoupon, listCoupons } from '#contract/coupons.ts';
import { couponOnlyFor, couponProblem, couponWait } from '#web/domain/payments/coupon-words.ts';
import type { ApiError } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { ownedBy, refusalOf } from '#web/platform/form/refusal.ts';
import { useForm, withoutSpaces } from '#web/platform/form/use-form.ts';
import type { Words } from '#web/platform/form/words.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import styles from './coupons.module.css';

interface Values {
  coupon: string;
}

const owned = ownedBy(addCoupon.errors);
const typedCode = (text: string) => withoutSpaces(text).toUpperCase();

function plainWords({ code, params }: ApiError): Words | undefined {
  const terms = couponOnlyFor(params.onlyFor);
  if (terms) return terms;
  return code === -3031 && params.waitSeconds ? couponWait(params.waitSeconds) : undefined;
}

function useAddForm() {
  const client = useQueryClient();
  const [added, setAdded] = useState<string>();
  const form = useForm<Values & Record<string, string>>({
    initial: { coupon: '' },
    check: ({ coupon }) => ({ coupon: couponProblem(coupon) }),
    submit: async ({ coupon: code }) => {
      setAdded(undefined);
      try {
        setAdded((await call(addCoupon, { body: { code } }, { handledErrors: owned })).code);
      } catch (error) {
        return refusalOf<Values>(error, { fields: { discountCode: 'coupon' }, owned, words: plainWords });
      }
      form.setValue('coupon', '');
      await refreshQueries(client, { queryKey: q(listCoupons, { body: {} }).queryKey });
      return undefined;
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
