import auth from '../auth-form.module.css';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import type { useCode } from './use-code.ts';
import { Plural, Trans } from '@lingui/react/macro';

interface SendAgainProps {
  code: Pick<ReturnType<typeof useCode>, 'busy' | 'waitSeconds'>;
  onTap: () => void;
}

/** Below the form's main button, because only customers without a code need it. */
export function SendAgain({ code, onTap }: SendAgainProps) {
  return (
    <Button
      variant="quiet"
      wide
      className={classNames(auth.quiet, auth.again)}
      busy={code.busy}
      disabled={code.waitSeconds > 0}
      onClick={onTap}
    >
      <SendCodeLabel sent seconds={code.waitSeconds} />
    </Button>
  );
}

interface SendCodeWordsProps {
  sent: boolean;
  /** until another code can be requested */
  seconds: number;
}

const hour = 3600;

/** The label of the button that requests a code: now, again, or when. */
export function SendCodeLabel({ sent, seconds }: SendCodeWordsProps) {
  if (seconds > hour) {
    const hours = Math.ceil(seconds / hour);
    return (
      <Trans>
        Send again in <Plural value={hours} one="# hour" other="# hours" />
      </Trans>
    );
  }
  if (seconds > 0) {
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    // In one element: a button spaces its children.
    return (
      <span>
        <Trans>
          Send again in{' '}
          <span className="num" translate="no">
            {time}
          </span>
        </Trans>
      </span>
    );
  }
  return sent ? <Trans>Send again</Trans> : <Trans>Send code</Trans>;
}
