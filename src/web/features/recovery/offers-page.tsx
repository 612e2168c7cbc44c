import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { offersByLink } from '#contract/settings.ts';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

/**
 * The target of an unsubscribe link. It stops offers on a tap, not on opening, because mail scanners open links, too;
 * offers can be turned on again.
 */
export function OffersPage({ token }: { token: string }) {
  const [state, setState] = useState<'asked' | 'out' | 'in'>('asked');
  const { mutate, isPending, problem } = useApiMutation(offersByLink, {
    onSuccess: (_result, { body }) => setState(body.subscribe ? 'in' : 'out'),
  });
  const action = (
    <Button
      size="lg"
      variant={state === 'out' ? 'secondary' : 'primary'}
      busy={isPending}
      onClick={() => mutate({ body: { token, subscribe: state === 'out' } })}
    >
      {state === 'out' ? <Trans>Send me offers again</Trans> : <Trans>Stop the offers</Trans>}
    </Button>
  );
  return (
    <StatePage
      art={<StateArt kind={state === 'asked' ? 'notice' : 'succeeded'} />}
      title={titles[state]}
      action={action}
    >
      <p role="status">{state === 'asked' ? null : <OffersMessage out={state === 'out'} />}</p>
      {state === 'asked' ? (
        <p>
          <Trans>Receipts and what concerns your payments still reach you.</Trans>
        </p>
      ) : null}
      <Problem>{problem}</Problem>
    </StatePage>
  );
}

const titles = {
  asked: <Trans>No more offers by email?</Trans>,
  out: <Trans>You get no more offers</Trans>,
  in: <Trans>Offers come again</Trans>,
};

function OffersMessage({ out }: { out: boolean }) {
  return out ? (
    <Trans>
      From now on only receipts and what concerns your payments reach you. You can change your mind at any time.
    </Trans>
  ) : (
    <Trans>Welcome back. Every one of them has a link that ends them.</Trans>
  );
}
