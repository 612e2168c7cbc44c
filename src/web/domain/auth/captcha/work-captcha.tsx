import { Trans, useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import { Button } from '#web/ui/button.tsx';
import { CircleCheck } from '#web/ui/icon.tsx';
import styles from './captcha.module.css';
import { CaptchaTrouble } from './captcha-trouble.tsx';
import type { CaptchaBoxProps } from './given.ts';
import { useChallenge } from './use-challenge.ts';
import { useFocusOnRequest } from './use-focus-when-asked.ts';
import { useWork } from './use-work.ts';

interface WorkCaptchaProps extends CaptchaBoxProps {
  /** undefined where there is no other method */
  readonly onOther: (() => void) | undefined;
}

/** Proof of work: nothing to see, to remember or to do. */
export function WorkCaptcha({ of, spent, asked, onGive, onOther }: WorkCaptchaProps) {
  const { t } = useLingui();
  const { challenge, error, renew } = useChallenge(of, spent);
  const { share, done, error: unsolved } = useWork(challenge, error !== undefined, onGive);
  const words = useRef<HTMLParagraphElement>(null);
  useFocusOnRequest(words, asked);
  const trouble = error ?? unsolved;
  const again = () => {
    renew();
    words.current?.focus();
  };
  return (
    <>
      <p ref={words} className={styles.words} role="status" tabIndex={-1}>
        {done ? <CircleCheck aria-hidden /> : null}
        {trouble ? null : done ? (
          <Trans>Done. Your device has proved it for you.</Trans>
        ) : (
          <Trans>Your device proves it for you. This takes a few seconds.</Trans>
        )}
      </p>
      {trouble ? <CaptchaTrouble error={trouble} onRetry={again} /> : null}
      {trouble || done ? null : <progress className={styles.progress} value={share} max={1} aria-label={t`Progress`} />}
      {onOther && (
        <Button variant="quiet" className={styles.other} onClick={onOther}>
          <Trans>Use another check</Trans>
        </Button>
      )}
    </>
  );
}
