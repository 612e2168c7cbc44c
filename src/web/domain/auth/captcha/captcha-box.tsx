import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type RefObject } from 'react';
import * as v from 'valibot';
import { siteKey, siteKeySchema } from '#contract/captcha.ts';
import { errorCode } from '#contract/error-codes.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { messageOfCode, messageOfError } from '#web/platform/api/error-message.ts';
import { q } from '#web/platform/api/query.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field.tsx';
import { CircleCheck } from '#web/ui/icon.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { Ring } from '#web/ui/spinner.tsx';
import { frameAddress, framePlace, useFrame } from './captcha-frame.ts';
import styles from './captcha.module.css';
import type { CaptchaBoxProps, CaptchaProblem } from './captcha-answer.ts';
import { useChallenge, useProofOfWork } from './proof-of-work.ts';

/** The script captcha if the shop has one, else proof of work, which is also the alternative to the script. */
export function CaptchaBox(props: CaptchaBoxProps) {
  const { data, isPending } = useQuery(q(siteKey, {}, { quiet: true }));
  const [byDevice, setByDevice] = useState(false);
  const key = data && decodeSiteKey(data.key);
  const script = key && data.frame ? { siteKey: key, frame: data.frame } : undefined;
  return (
    <div className={styles.captcha}>
      {props.workOnly || byDevice || (!script && !isPending) ? (
        <WorkCaptcha {...props} onOther={script && !props.workOnly ? () => setByDevice(false) : undefined} />
      ) : script ? (
        <ScriptCaptcha {...props} {...script} onOther={() => setByDevice(true)} />
      ) : (
        <Ring />
      )}
    </div>
  );
}

/** Decodes the site key; undefined if it is not base64 or the decoded text is not a key. */
export function decodeSiteKey(encoded: string): string | undefined {
  try {
    const parsed = v.safeParse(siteKeySchema, atob(encoded));
    return parsed.success ? parsed.output : undefined;
  } catch {
    // atob throws if the text is not base64
    return undefined;
  }
}

interface ScriptCaptchaProps extends CaptchaBoxProps {
  readonly siteKey: string;
  /** address of the framed document */
  readonly frame: string;
  readonly onOther: () => void;
}

/** The provider's widget, in a document of its own ([Note: Captcha frame] on the server). */
function ScriptCaptcha({ siteKey, frame, asked, problem, onOther, ...answering }: ScriptCaptchaProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const id = useId();
  const group = useRef<HTMLDivElement>(null);
  const { element, turn, stage, error, height, reload } = useFrame(frame, answering);
  const title = t`Confirm you’re human`;
  const wrong = useProblemMessage(problem, title);
  useFocusOnRequest(group, asked);
  const again = () => {
    reload();
    // the focused button is removed by then, and the widget is present
    requestAnimationFrame(() => group.current?.focus());
  };
  if (stage === 'absent') return <CaptchaUnavailable {...{ reload: again, onOther }} />;
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
        <Trans>Try another check</Trans>
      </Button>
    </>
  );
}

/** For screen readers, which cannot read the tick in the provider's widget. */
function Confirmed({ yes }: { yes: boolean }) {
  return (
    <p className="sr-only" role="status">
      {yes ? <Trans>Confirmed</Trans> : null}
    </p>
  );
}

function CaptchaUnavailable({ reload, onOther }: { reload: () => void; onOther: () => void }) {
  const actions = (
    <div className={styles.row}>
      <Button variant="secondary" onClick={onOther}>
        <Trans>Try another check</Trans>
      </Button>
      <Button variant="secondary" onClick={reload}>
        <Trans>Retry</Trans>
      </Button>
    </div>
  );
  return (
    <Alert tone="warning" live="assertive" action={actions}>
      <Trans>The check didn’t load.</Trans>
    </Alert>
  );
}

interface WorkCaptchaProps extends CaptchaBoxProps {
  /** undefined if there is no other method */
  readonly onOther: (() => void) | undefined;
}

/** Proof of work: the customer does nothing. */
function WorkCaptcha({ account, consumedCount, asked, onAnswer, onOther }: WorkCaptchaProps) {
  const { t } = useLingui();
  const { challenge, error, renew } = useChallenge(account, consumedCount);
  const { share, done, error: unsolved } = useProofOfWork(challenge, error !== undefined, onAnswer);
  const message = useRef<HTMLParagraphElement>(null);
  useFocusOnRequest(message, asked);
  const trouble = error ?? unsolved;
  const again = () => {
    renew();
    message.current?.focus();
  };
  return (
    <>
      <p ref={message} className={styles.words} role="status" tabIndex={-1}>
        {done ? <CircleCheck aria-hidden /> : null}
        {trouble ? null : done ? (
          <Trans>Done. Your device confirmed it for you.</Trans>
        ) : (
          <Trans>Your device is confirming it for you. This takes a few seconds.</Trans>
        )}
      </p>
      {trouble ? <CaptchaTrouble error={trouble} onRetry={again} /> : null}
      {trouble || done ? null : <ProgressBar value={share} max={1} aria-label={t`Progress`} />}
      {onOther && (
        <Button variant="quiet" className={styles.other} onClick={onOther}>
          <Trans>Try another check</Trans>
        </Button>
      )}
    </>
  );
}

/** The error message of the answer; `missing` is the message if there is no answer. */
function useProblemMessage(problem: CaptchaProblem, missing: string): string | undefined {
  const { i18n } = useLingui();
  if (problem === 'missing') return missing;
  return problem === 'refused' ? messageOfCode(i18n, errorCode('wrongCaptcha')) : undefined;
}

/** The captcha did not load or its answer was not sent: shows the error and a retry button. */
function CaptchaTrouble({ error, onRetry }: { error: CallError; onRetry: () => void }) {
  const { i18n } = useLingui();
  const again = (
    <Button variant="secondary" onClick={onRetry}>
      <Trans>Retry</Trans>
    </Button>
  );
  return (
    <Alert tone="danger" live="assertive" action={again}>
      {messageOfError(i18n, error)}
    </Alert>
  );
}

/** Focuses the required control when it appears and whenever the customer has to act again. */
function useFocusOnRequest(target: RefObject<HTMLElement | null>, asked: number): void {
  const done = useRef(0);
  useEffect(() => {
    if (done.current === asked) return;
    done.current = asked;
    target.current?.focus();
  }, [target, asked]);
}
