import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useId, useRef, type ChangeEvent, type SubmitEvent } from 'react';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-frame.tsx';
import { ReceiptText } from '#web/ui/icon.tsx';
import styles from './proof-form.module.css';
import { decodePicture, drawn, fitWithin } from './shrink-picture.ts';
import { proofTypes, useProof, type Proof } from './use-proof.ts';

interface ProofFormProps {
  orderId: string;
  ask: () => void;
}

/** Selects, previews and sends the proof of payment. */
export function ProofForm({ orderId, ask }: ProofFormProps) {
  const { i18n } = useLingui();
  const { proof, busy, problem, choose, send } = useProof(orderId, ask);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    send();
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <FilePicker chosen={proof !== undefined} error={problem?.(i18n)} onChoose={choose} />
      {proof ? <Preview key={proof.name + proof.content.size} proof={proof} /> : null}
      <Button type="submit" size="lg" wide busy={busy !== undefined}>
        <Trans>Send the picture</Trans>
      </Button>
      <p className="sr-only" role="status">
        {busy === 'sending' ? <Trans>Sending your picture…</Trans> : null}
      </p>
    </form>
  );
}

interface FilePickerProps {
  chosen: boolean;
  error: string | undefined;
  onChoose: (file: File) => void;
}

/** The whole field is the file input, so that it can be tapped, reached by keyboard, and used as a drop target. */
function FilePicker({ chosen, error, onChoose }: FilePickerProps) {
  const id = useId();
  const pick = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    // the same file can be chosen again after an error
    event.target.value = '';
    if (file) onChoose(file);
  };
  return (
    <div className={styles.field}>
      <div className={styles.picker} data-invalid={error ? '' : undefined}>
        <ReceiptText aria-hidden />
        <label htmlFor={id}>
          {chosen ? <Trans>Choose another picture</Trans> : <Trans>Choose or take a picture of the transfer</Trans>}
        </label>
        <input
          id={id}
          required
          type="file"
          className={styles.input}
          accept={proofTypes.join(',')}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          onChange={pick}
        />
      </div>
      {error ? <FieldError id={id}>{error}</FieldError> : null}
    </div>
  );
}

const previewEdge = 640;

/**
 * A preview, so that a wrong picture is noticed; drawn on a canvas, because the CSP allows pictures of the shop only.
 */
function Preview({ proof }: { proof: Proof }) {
  const { t } = useLingui();
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = ref.current;
    void decodePicture(proof.content).then((picture) => {
      if (picture && canvas?.isConnected) drawn(picture, fitWithin(picture, previewEdge), canvas);
      picture?.close();
    });
  }, [proof]);
  return (
    <figure className={styles.preview} data-private>
      {proof.content.type.startsWith('image/') ? (
        <canvas ref={ref} className={styles.picture} width={1} height={1} role="img" aria-label={t`Your picture`} />
      ) : null}
      <figcaption translate="no">{proof.name}</figcaption>
    </figure>
  );
}
