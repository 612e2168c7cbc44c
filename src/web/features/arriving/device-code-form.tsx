import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { SubmitButton } from '../../account-form/submit-button.tsx';
import { useForm } from '../../form/use-form.ts';
import { say, type Words } from '../../form/words.ts';
import { Alert } from '../../ui/alert.tsx';
import { TvArt } from '../../ui/art/tv-art.tsx';
import { Field } from '../../ui/field.tsx';
import styles from './device.module.css';
import { lookUp, type Box } from './device-calls.ts';
import { isUserCode, typedUserCode } from './user-code.ts';

interface DeviceCodeFormProps {
  /** the code of the link, when it was of no use */
  code: string;
  problem?: Words | undefined;
  onFound: (code: string, box: Box) => void;
}

const incomplete = say(msg`Type the 8 letters that your TV shows`);

function useCodeForm({ code, onFound }: Pick<DeviceCodeFormProps, 'code' | 'onFound'>) {
  return useForm({
    initial: { code },
    check: (values) => (isUserCode(values.code) ? {} : { code: incomplete }),
    submit: async (values) => {
      const found = await lookUp(values.code);
      if ('problem' in found) return found.gone ? { fields: { code: found.problem } } : { summary: found.problem };
      onFound(values.code, found.ok);
      return undefined;
    },
  });
}

/** For whom the link brought no code, or an old one: the code as the TV shows it. */
export function DeviceCodeForm({ problem, ...form }: DeviceCodeFormProps) {
  const { t, i18n } = useLingui();
  const { formProps, text, busy, summary } = useCodeForm(form);
  const said = summary ?? problem?.(i18n);
  return (
    <section className={styles.page}>
      <Invitation />
      {said ? (
        <Alert tone="warning" live="assertive">
          {said}
        </Alert>
      ) : null}
      <form className={styles.form} {...formProps}>
        <Field
          {...text('code', typedUserCode)}
          className={styles.code}
          label={t`Code on the TV`}
          type="text"
          inputMode="text"
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          placeholder="XXXX-XXXX"
        />
        <SubmitButton busy={busy}>
          <Trans>Continue</Trans>
        </SubmitButton>
      </form>
    </section>
  );
}

function Invitation() {
  return (
    <>
      <div className={styles.art}>
        <TvArt />
      </div>
      <h1 className={styles.title}>
        <Trans>Connect your TV</Trans>
      </h1>
      <p className={styles.soft}>
        <Trans>Open the app on your TV. It shows a code of 8 letters.</Trans>
      </p>
    </>
  );
}
