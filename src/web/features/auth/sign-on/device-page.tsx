import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { StatePage, UnderTitle } from '#web/ui/state-page.tsx';
import { DeviceCard } from './device-card.tsx';
import { useDevice } from './use-device.ts';
import { msg } from '@lingui/core/macro';
import { use } from 'react';
import { SubmitButton } from '#web/domain/auth/submit-button.tsx';
import { useForm } from '#web/platform/form/use-form.ts';
import { localizedMessage, type LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { Alert } from '#web/ui/alert.tsx';
import TvArt from '#web/ui/art/tv.svg?react';
import { Field } from '#web/ui/field.tsx';
import styles from './device.module.css';
import { findDevice, type QueriedDevice } from './device-calls.ts';
import * as v from 'valibot';
import { userCodeSchema } from '#contract/sign-on.ts';
import { normalizeToken } from '#contract/normalize-text.ts';

/** /device: opened by the QR code of a TV, or to type its code. `returnTo` is the link's target. */
export function DevicePage({ returnTo }: { returnTo: string | undefined }) {
  const { stage, found, yes, no, typeAgain, tooLate } = useDevice(returnTo);
  switch (stage.kind) {
    case 'type':
      return <DeviceCodeForm code="" problem={stage.problem} onFound={found} />;
    case 'looking':
      return <Spinner label={<Trans>Looking for your TV…</Trans>} />;
    case 'ask':
      return <DeviceCard {...stage} problem={stage.problem} onApprove={yes} onReject={no} onExpired={tooLate} />;
    case 'connected':
      return <ConnectedMessage />;
    case 'refused':
      return <Refused onAgain={typeAgain} />;
  }
}

function ConnectedMessage() {
  return (
    <StatePage
      art={<StateArt kind="succeeded" />}
      title={<Trans>Done! Look at your TV</Trans>}
      action={
        <Link to="/pricing-table" className={buttonClass({ variant: 'secondary' })}>
          <Trans>See plans</Trans>
        </Link>
      }
    >
      <p role="status">
        <Trans>It’ll be logged in to your account in a moment. You can log it out again in your account.</Trans>
      </p>
    </StatePage>
  );
}

function Refused({ onAgain }: { onAgain: () => void }) {
  return (
    <StatePage
      art={<StateArt kind="cancelled" />}
      title={<Trans>No one was logged in</Trans>}
      action={
        <>
          <Button onClick={onAgain}>
            <Trans>Enter another code</Trans>
          </Button>
          <Link to="/" className={buttonClass({ variant: 'secondary' })}>
            <Trans>Go to home page</Trans>
          </Link>
        </>
      }
    >
      <p role="status">
        <Trans>The code no longer works. If someone sent it to you, don’t reply.</Trans>
      </p>
    </StatePage>
  );
}

const half = 4;

/** Formats a typed code: letters only, upper case, with the dash where the TV shows it. */
export function typedUserCode(text: string): string {
  const letters = normalizeToken(text)
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, 2 * half);
  return letters.length > half ? `${letters.slice(0, half)}-${letters.slice(half)}` : letters;
}

/** Whether it has the format of a TV's code. */
export const isUserCode = (text: string) => v.is(userCodeSchema, text);

interface DeviceCodeFormProps {
  /** the code of the link, if it was invalid */
  code: string;
  problem?: LocalizedMessage | undefined;
  onFound: (code: string, box: QueriedDevice) => void;
}

const incomplete = localizedMessage(msg`Enter the 8 letters on your TV`);

function useCodeForm({ code, onFound }: Pick<DeviceCodeFormProps, 'code' | 'onFound'>) {
  return useForm({
    initial: { code },
    check: (values) => (isUserCode(values.code) ? {} : { code: incomplete }),
    submit: async (values) => {
      const found = await findDevice(values.code);
      if ('problem' in found) return found.gone ? { fields: { code: found.problem } } : { summary: found.problem };
      onFound(values.code, found.ok);
      return undefined;
    },
  });
}

/** A form for the code on the TV, if the link contained none or an old one. */
function DeviceCodeForm({ problem, ...form }: DeviceCodeFormProps) {
  const { t, i18n } = useLingui();
  const { formProps, register, isSubmitting, summary } = useCodeForm(form);
  const said = summary ?? problem?.(i18n);
  return (
    <section className={styles.page}>
      <Introduction />
      {said ? (
        <Alert tone="warning" live="assertive">
          {said}
        </Alert>
      ) : null}
      <form className={styles.form} {...formProps}>
        <Field
          {...register('code', { setValueAs: typedUserCode })}
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
        <SubmitButton busy={isSubmitting}>
          <Trans>Continue</Trans>
        </SubmitButton>
      </form>
    </section>
  );
}

function Introduction() {
  return (
    <>
      <div className={styles.art}>
        <TvArt />
      </div>
      {use(UnderTitle) ? null : (
        <h1 className={styles.title}>
          <Trans>Connect your TV</Trans>
        </h1>
      )}
      <p className={styles.soft}>
        <Trans>Open the app on your TV. It shows an 8-letter code.</Trans>
      </p>
    </>
  );
}
