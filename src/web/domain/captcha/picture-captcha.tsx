import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { withoutSpaces } from '../../platform/form/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Field } from '../../ui/field.tsx';
import { RefreshCw } from '../../ui/icon.tsx';
import { Ring } from '../../ui/spinner.tsx';
import styles from './captcha.module.css';
import { CaptchaTrouble, useProblemWords } from './captcha-trouble.tsx';
import type { CaptchaWayProps, Given } from './given.ts';
import { useChallenge, type Challenge } from './use-challenge.ts';
import { useFocusWhenAsked } from './use-focus-when-asked.ts';

/** Five letters in a picture, to be typed. */
export function PictureCaptcha({ of, spent, asked, problem, onGive, onOther }: CaptchaWayProps) {
  const { t } = useLingui();
  const { turn, challenge, error, instead, renew } = useChallenge('picture', of, spent);
  const [letters, setLetters] = useLetters(turn, challenge, onGive);
  const input = useRef<HTMLInputElement>(null);
  useFocusWhenAsked(input, asked);
  // so many pictures were asked for from here that the shop draws no more: the device works instead
  useEffect(() => {
    if (instead) onOther();
  }, [instead, onOther]);
  const another = () => {
    renew();
    input.current?.focus();
  };
  return (
    <>
      <p className={styles.title}>
        <Trans>Confirm that you are a person</Trans>
      </p>
      {error ? <CaptchaTrouble error={error} onRetry={another} /> : <Picture challenge={challenge} onRenew={another} />}
      <Field
        ref={input}
        label={t`Characters in the picture`}
        hint={t`Five letters and digits. Capitals do not matter.`}
        error={useProblemWords(problem, t`Verification code cannot be empty`)}
        className={styles.letters}
        value={letters}
        onChange={(event) => setLetters(withoutSpaces(event.target.value).toUpperCase())}
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        maxLength={12}
      />
      <Button variant="quiet" className={styles.other} onClick={onOther}>
        <Trans>I cannot see the picture</Trans>
      </Button>
    </>
  );
}

/** What was typed for one picture is nothing to the next. */
function useLetters(turn: string, challenge: Challenge<'picture'> | undefined, onGive: (given: Given) => void) {
  const [typed, setTyped] = useState({ turn, letters: '' });
  const letters = typed.turn === turn ? typed.letters : '';
  useEffect(() => {
    const there = challenge !== undefined && letters !== '';
    onGive(there ? { captchaId: challenge.captchaId, captcha: letters } : null);
  }, [challenge, letters, onGive]);
  return [letters, (next: string) => setTyped({ turn, letters: next })] as const;
}

interface PictureProps {
  challenge: Challenge<'picture'> | undefined;
  onRenew: () => void;
}

function Picture({ challenge, onRenew }: PictureProps) {
  const { t } = useLingui();
  return (
    <div className={classNames(styles.row, styles.picture)}>
      <div className={styles.tile}>
        {challenge ? (
          <img
            className={styles.image}
            src={`data:image/svg+xml;base64,${challenge.image}`}
            alt={t`Picture with five characters to type`}
            width={220}
            height={76}
            draggable={false}
          />
        ) : (
          <Ring />
        )}
      </div>
      <Button
        variant="secondary"
        className={styles.renew}
        aria-label={t`New picture`}
        busy={!challenge}
        onClick={onRenew}
      >
        {challenge && <RefreshCw aria-hidden />}
      </Button>
    </div>
  );
}
