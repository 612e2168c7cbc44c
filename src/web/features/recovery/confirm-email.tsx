import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { queryUrv } from '../../../contract/account.ts';
import { activeUser } from '../../../contract/email.ts';
import styles from '../../domain/auth/auth-form.module.css';
import { ApiError } from '../../platform/api/api-error.ts';
import { call } from '../../platform/api/client.ts';
import { q, refreshQueries } from '../../platform/api/query.ts';
import { ownedBy, refusalOf } from '../../platform/form/refusal.ts';
import { useTap } from '../../platform/form/use-tap.ts';
import { waitWords } from '../../domain/codes/wait-words.ts';
import { Problem } from '../../ui/problem.tsx';
import { Button } from '../../ui/button.tsx';
import { forgetMailToken } from './mail-token.ts';

const owned = ownedBy(activeUser.errors);
const gone = new Set<number | undefined>([10302, 10027]);

interface ConfirmEmailProps {
  token: string;
  /** the link has had its day */
  onGone: () => void;
}

/** The tap that confirms. Opening the link did nothing yet, because mail scanners open links, too ([Note: Mail links]). */
export function ConfirmEmail({ token, onGone }: ConfirmEmailProps) {
  const { tap, busy, problem } = useConfirmation(token, onGone);
  return (
    <div className={styles.form}>
      <Problem>{problem}</Problem>
      <Button size="lg" wide busy={busy} onClick={tap}>
        <Trans>Confirm my email</Trans>
      </Button>
    </div>
  );
}

function useConfirmation(token: string, onGone: () => void) {
  const navigate = useNavigate();
  const client = useQueryClient();
  return useTap(async () => {
    try {
      await call(activeUser, { body: { token } }, { handledErrors: owned });
    } catch (error) {
      if (!(error instanceof ApiError) || !gone.has(error.code)) {
        return refusalOf(error, { fields: {}, owned, words: waitWords }).summary;
      }
      onGone();
      return undefined;
    }
    void refreshQueries(client, { queryKey: q(queryUrv).queryKey });
    await navigate({ to: '/notice', search: { type: 'activated' }, replace: true });
    forgetMailToken();
    return undefined;
  });
}
