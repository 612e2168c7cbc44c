import { Trans, useLingui } from '@lingui/react/macro';
import { useId, useRef } from 'react';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-frame.tsx';
import styles from './captcha.module.css';
import { CaptchaTrouble, useProblemWords } from './captcha-trouble.tsx';
import { frameAddress, framePlace } from './frame-place.ts';
import type { CaptchaBoxProps } from './given.ts';
import { useFocusOnRequest } from './use-focus-when-asked.ts';
import { useFrame } from './use-frame.ts';

interface ScriptCaptchaProps extends CaptchaBoxProps {
  readonly siteKey: string;
  /** address of the framed document */
  readonly frame: string;
  readonly onOther: () => void;
}

/** The provider's own box, in a document of its own ([Note: Captcha frame] on the server). */
export function ScriptCaptcha({ of, siteKey, frame, spent, asked, problem, onGive, onOther }: ScriptCaptchaProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const id = useId();
  const group = useRef<HTMLDivElement>(null);
  const { element, turn, stage, error, height, reload } = useFrame(frame, { of, spent, onGive });
  const title = t`Confirm that you are a person`;
  const wrong = useProblemWords(problem, title);
  useFocusOnRequest(group, asked);
  const again = () => {
    reload();
    // the button that had the focus is gone by then, and the box is there
    requestAnimationFrame(() => group.current?.focus());
  };
  if (stage === 'absent') return <Absent {...{ reload: again, onOther }} />;
  const page = location.origin;
  return (
    <>
      <div ref={group} role="group" tabIndex={-1} aria-describedby={wrong && `${id}-error`} aria-label={title}>
        <iframe
          key={`${turn} ${language}`}
          ref={element}
          className={styles.frame}
          title={title}
          src={frameAddress(frame, { key: siteKey, page, language })}
          sandbox={framePlace(frame, page).sandbox}
          height={height}
          referrerPolicy="origin"
        />
      </div>
      {wrong ? <FieldError id={id}>{wrong}</FieldError> : null}
      {error ? <CaptchaTrouble error={error} onRetry={again} /> : null}
      <Confirmed yes={stage === 'verified'} />
      <Button variant="quiet" className={styles.other} onClick={onOther}>
        <Trans>Use another check</Trans>
      </Button>
    </>
  );
}

/** For who does not see the tick in the provider's box. */
function Confirmed({ yes }: { yes: boolean }) {
  return (
    <p className="sr-only" role="status">
      {yes ? <Trans>Confirmed</Trans> : null}
    </p>
  );
}

function Absent({ reload, onOther }: { reload: () => void; onOther: () => void }) {
  const ways = (
    <div className={styles.row}>
      <Button variant="secondary" onClick={onOther}>
        <Trans>Use another check</Trans>
      </Button>
      <Button variant="secondary" onClick={reload}>
        <Trans>Retry</Trans>
      </Button>
    </div>
  );
  return (
    <Alert tone="warning" live="assertive" action={ways}>
      <Trans>The check did not load.</Trans>
    </Alert>
  );
}
