import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ownPayer, type OwnPayer, type PayerField, type SavedGroup } from '#contract/payer.ts';
import { q } from '#web/platform/api/query.ts';
import { useSession } from '#web/platform/session/session.ts';
import { Button } from '#web/ui/button.tsx';
import { dot } from '#web/ui/money-text.tsx';
import styles from './payer-fields.module.css';

export const ownPayerQuery = {
  ...q(ownPayer, { body: {} }, { quiet: true }),
  // fields must not appear or disappear while the customer types
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
};

/** The stored payer data, known before anything is typed ([Note: Kept payer] in the contract). */
export interface KnownPayer {
  /** still loading */
  readonly loading: boolean;
  /** the stored groups, which need not be typed; undefined if nothing is stored for this session */
  readonly savedGroups: readonly SavedGroup[] | undefined;
  readonly found: OwnPayer | undefined;
  /** requests all groups again */
  readonly change: () => void;
}

/** A session that only buys, on a TV or for one, does not see the payer data of the account. */
export function useKnownPayer(fields: readonly PayerField[]): KnownPayer {
  const enabled = useSession()?.buysOnly !== true && fields.some((field) => field !== 'mobile' && field !== 'cardPage');
  const { data, isLoading } = useQuery({ ...ownPayerQuery, enabled });
  const [changing, setChanging] = useState(false);
  const wanted: readonly string[] = fields;
  const kept = data?.kept.filter((group) => wanted.includes(group));
  return { loading: isLoading, savedGroups: changing ? [] : kept, found: data, change: () => setChanging(true) };
}

/** Shows which stored data is used, and a button to change it. */
interface KnownPayerLineProps {
  known: KnownPayer;
  /** the name is stored, too */
  named: boolean;
}

export function KnownPayerLine({ known: { savedGroups = [], found, change }, named }: KnownPayerLineProps) {
  const { t } = useLingui();
  const has = (group: SavedGroup) => savedGroups.includes(group);
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
          <Trans>Payer</Trans>
        </span>
        <b data-private translate="no">
          {parts.join(dot)}
        </b>
      </p>
      <Button variant="quiet" onClick={change}>
        <Trans>Change</Trans>
        <span className="sr-only">
          <Trans>Payer</Trans>
        </span>
      </Button>
    </div>
  );
}
