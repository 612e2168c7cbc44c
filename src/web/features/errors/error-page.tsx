import { Trans } from '@lingui/react/macro';
import { LateStateArt } from '../../ui/art/late-state-art.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { StatePage } from '../../ui/state-page.tsx';

/** Something broke here. The way out is a fresh load, so it is a plain link. */
export function ErrorPage() {
  const action = (
    <a href="/" className={buttonClass()}>
      <Trans>Start again from the home page</Trans>
    </a>
  );
  return (
    <StatePage
      art={<LateStateArt kind="error" />}
      title={<Trans>Something went wrong on our side</Trans>}
      action={action}
    >
      <p>
        <Trans>It was not you. If you were paying, look at your orders before you try again.</Trans>
      </p>
    </StatePage>
  );
}
