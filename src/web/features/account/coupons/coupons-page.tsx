import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { listCoupons, addCoupon, type OwnCoupon } from '#contract/coupons.ts';
import { LoadFailed } from '#web/domain/payments/load-failed.tsx';
import { ConfirmedEmptyList } from '#web/domain/payments/access-text.tsx';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { CustomerArea } from '#web/shells/customer-area.tsx';
import { SavedStamp } from '#web/shells/saved-stamp.tsx';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { ChevronDown } from '#web/ui/icon.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { CouponCard } from './coupon-card.tsx';
import styles from './coupons.module.css';
import { useState } from 'react';
import { couponTermsMessage, couponProblem, couponWaitMessage } from '#web/domain/payments/coupon-messages.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { useForm, withoutSpaces } from '#web/platform/form/use-form.ts';
import type { LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

/** The query of the page; it is refetched after a coupon was added. */
const couponsQuery = q(listCoupons, { body: {} });

const livesOn = ({ state }: OwnCoupon) => state === 'usable' || state === 'held' || state === 'later';

/** /coupons: the customer's coupons, what each is valid for and until when, and a form to add one. */
export function CouponsPage() {
  return (
    <CustomerArea title={<Trans>Coupons</Trans>} below="/account" meanwhile={<CouponsSkeleton />}>
      <AddCoupon />
      <Coupons />
    </CustomerArea>
  );
}

function Coupons() {
  const { data, error, dataUpdatedAt, refetch } = useQuery(couponsQuery);
  if (!data) return error ? <LoadFailed error={error} onRetry={() => void refetch()} /> : <CouponsSkeleton />;
  const [living, over] = [data.items.filter(livesOn), data.items.filter((coupon) => !livesOn(coupon))];
  const count = over.length;
  return (
    <>
      <SavedStamp error={error} readAt={dataUpdatedAt} />
      {living.length === 0 ? (
        <ConfirmedEmptyList
          error={error}
          readAt={dataUpdatedAt}
          onRetry={() => void refetch()}
          asking={<CouponsSkeleton />}
        >
          <NoCoupons />
        </ConfirmedEmptyList>
      ) : (
        <CouponList coupons={living} />
      )}
      {over.length === 0 ? null : (
        <details className={styles.over}>
          <summary>
            <span>
              <Trans>Used and expired ({count})</Trans>
            </span>
            <ChevronDown aria-hidden />
          </summary>
          <CouponList coupons={over} />
        </details>
      )}
    </>
  );
}

function CouponList({ coupons }: { coupons: readonly OwnCoupon[] }) {
  return (
    <ul className={styles.list}>
      {coupons.map((coupon) => (
        <CouponCard key={coupon.code} coupon={coupon} />
      ))}
    </ul>
  );
}

function NoCoupons() {
  return (
    <StatePage art={<StateArt kind="empty" />} title={<Trans>You have no coupons right now</Trans>}>
      <p>
        <Trans>Your coupons appear here. If you have a code, add it above.</Trans>
      </p>
    </StatePage>
  );
}

function CouponsSkeleton() {
  return (
    <div className={styles.list} aria-busy>
      <p className="sr-only" role="status">
        <Trans>Loading…</Trans>
      </p>
      <Skeleton height={128} />
      <Skeleton height={128} />
    </div>
  );
}

interface Values {
  coupon: string;
}

const typedCode = (text: string) => withoutSpaces(text).toUpperCase();

function addCouponMessage(error: CallError): LocalizedMessage | undefined {
  const { onlyFor, waitSeconds } = error.params;
  return (
    couponTermsMessage(onlyFor) ?? (error.is('tooFrequent') && waitSeconds ? couponWaitMessage(waitSeconds) : undefined)
  );
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
    message: addCouponMessage,
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
function AddCoupon() {
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
        {!isAdded ? null : <Trans>Coupon {added} is now yours.</Trans>}
      </p>
    </form>
  );
}
