import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PayerField } from '#contract/billing.ts';
import { ownPayer, type SavedGroup, type OwnPayer } from '#contract/payer.ts';
import { q } from '#web/platform/api/query.ts';
import { useSession } from '#web/platform/session/session.ts';
import { Button } from '#web/ui/button.tsx';
import { dot } from '#web/ui/dot.ts';
import styles from './payer-fields.module.css';

export const ownPayerQuery = {
  ...q(ownPayer, { body: {} }, { quiet: true }),
  // nothing may appear or go away under what is being typed
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
};

/** What is known of who pays before anything is typed ([Note: Kept payer] in the contract). */
export interface KnownPayer {
  /** not known yet */
  readonly loading: boolean;
  /** what need not be asked for; undefined where this session can keep nothing */
  readonly kept: readonly SavedGroup[] | undefined;
  readonly found: OwnPayer | undefined;
  /** asks for all of it anew */
  readonly change: () => void;
}

/** Whoever only buys here, on a TV or for one, is not shown what the account's owner has typed. */
export function useKnownPayer(fields: readonly PayerField[]): KnownPayer {
  const enabled = useSession()?.buysOnly !== true && fields.some((field) => field !== 'mobile' && field !== 'cardPage');
  const { data, isLoading } = useQuery({ ...ownPayerQuery, enabled });
  const [changing, setChanging] = useState(false);
  const wanted: readonly string[] = fields;
  const kept = data?.kept.filter((group) => wanted.includes(group));
  return { loading: isLoading, kept: changing ? [] : kept, found: data, change: () => setChanging(true) };
}

/** What is not asked for again, so that its owner sees whose purchase it is, and the way to change it. */
interface KnownPayerLineProps {
  known: KnownPayer;
  /** the name is not asked for, either */
  named: boolean;
}

export function KnownPayerLine({ known: { kept = [], found, change }, named }: KnownPayerLineProps) {
  const { t } = useLingui();
  const has = (group: SavedGroup) => kept.includes(group);
  if (!found) return null;
  const parts = [
    named && has('name') && `${found.firstName} ${found.lastName}`,
    has('document') && found.document,
    has('phone') && found.phone,
    has('address') && found.place,
    has('birthDate') && t`Date of birth`,
  ].filter(Boolean);
  if (parts.length === 0) return null;
  return (
    <div className={styles.known} data-known-payer>
      <p>
        <span>
          <Trans>Who pays</Trans>
        </span>
        <b data-private translate="no">
          {parts.join(dot)}
        </b>
      </p>
      <Button variant="quiet" onClick={change}>
        <Trans>Change</Trans>
        <span className="sr-only">
          <Trans>Who pays</Trans>
        </span>
      </Button>
    </div>
  );
}
