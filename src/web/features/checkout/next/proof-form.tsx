import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useId, useRef, useState, type ChangeEvent, type SubmitEvent } from 'react';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field.tsx';
import { ReceiptText } from '#web/ui/icon.tsx';
import styles from './proof-form.module.css';
import { msg } from '@lingui/core/macro';
import { uploadLimitBytes } from '#contract/limits.ts';
import { orderUpload, uploadObject } from '#contract/payment-steps.ts';
import { type CallError, isOutcomeUnknown } from '#web/platform/api/api-error.ts';
import { usePreventReload } from '#web/platform/form/use-form.ts';
import { localizedMessage, type LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { messageOfError } from '#web/platform/api/error-message.ts';
import { useStepOptions } from './use-step-options.ts';
import { useApiMutation, useAction } from '#web/platform/form/use-api-mutation.ts';

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
        <Trans>Send proof of payment</Trans>
      </Button>
      <p className="sr-only" role="status">
        {busy === 'sending' ? <Trans>Sending your proof of payment…</Trans> : null}
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
          {chosen ? <Trans>Choose another file</Trans> : <Trans>Choose or photograph your proof of payment</Trans>}
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
      if (picture && canvas?.isConnected) drawPicture(picture, fitWithin(picture, previewEdge), canvas);
      picture?.close();
    });
  }, [proof]);
  return (
    <figure className={styles.preview} data-private>
      {proof.content.type.startsWith('image/') ? (
        <canvas
          ref={ref}
          className={styles.picture}
          width={1}
          height={1}
          role="img"
          aria-label={t`Your proof of payment`}
        />
      ) : null}
      <figcaption translate="no">{proof.name}</figcaption>
    </figure>
  );
}

/** The accepted types, for the file input. */
const proofTypes: readonly string[] = uploadObject.file.types;

/** A file as it will be sent. */
interface Proof {
  readonly name: string;
  readonly content: Blob;
}

interface ProofState {
  readonly proof?: Proof | undefined;
  readonly busy?: 'preparing' | 'sending' | undefined;
  readonly problem?: LocalizedMessage | undefined;
}

const noFile = localizedMessage(msg`Choose your proof of payment first.`);
const wrongType = localizedMessage(msg`We can’t read this file. Choose a picture (JPEG, PNG or WebP) or a PDF.`);
const tooLarge = localizedMessage(msg`This file is too large. Choose one up to 4 MB.`);
/** A proxy in front of the shop has a limit of its own, which the shop does not know. */
const tooLargeForProxy = localizedMessage(
  msg`This file is too large to send from here. Choose a smaller one, such as a screenshot.`,
);
const damaged = localizedMessage(
  msg`We can’t open this picture: it’s damaged or incomplete. Take a screenshot of the transfer and choose that.`,
);
const empty = localizedMessage(msg`This file is empty. Choose another one.`);
const notSent = localizedMessage(
  msg`The connection was lost, and your proof of payment may not have arrived. It’s still here: send it again.`,
);

/** The proof of payment, from selection to upload. A file that could not be sent stays selected. */
function useProof(orderId: string, ask: () => void) {
  const store = useApiMutation(uploadObject, { onError: ask, shows: 'all' });
  const handIn = useApiMutation(orderUpload, useStepOptions(orderId, ask));
  const [state, setState] = useState<ProofState>({});
  const stored = useRef<{ proof: Proof; objectId: string }>(undefined);
  usePreventReload(state.proof !== undefined);
  const choose = async (file: File) => {
    if (state.busy) return;
    setState({ proof: state.proof, busy: 'preparing' });
    const chosen = await prepareProof(file);
    setState('problem' in chosen ? { proof: state.proof, ...chosen } : { proof: chosen });
  };
  const upload = async (proof: Proof): Promise<CallError | undefined> => {
    // an uploaded file is not uploaded again if only its submission was lost
    if (stored.current?.proof !== proof) {
      const { result, error } = await store.send({ file: proof.content });
      if (!result) return error;
      stored.current = { proof, objectId: result.objectId };
    }
    return (await handIn.send({ body: { orderId, objectId: stored.current.objectId } })).error;
  };
  const sending = useAction(async () => {
    const { proof, busy } = state;
    if (busy) return {};
    if (!proof) {
      setState({ problem: noFile });
      return {};
    }
    setState({ proof, busy: 'sending' });
    const error = await upload(proof).catch((fault: unknown) => {
      setState({ proof });
      throw fault;
    });
    setState({ proof, problem: error && proofErrorMessage(error) });
    return {};
  });
  return { ...state, choose: (file: File) => void choose(file), send: () => sending.mutate() };
}

async function prepareProof(file: File): Promise<Proof | { problem: LocalizedMessage }> {
  if (!proofTypes.includes(file.type)) return { problem: wrongType };
  if (file.size === 0) return { problem: empty };
  const content = file.type.startsWith('image/') ? await shrinkPicture(file) : file;
  if (!content) return { problem: damaged };
  return content.size > uploadLimitBytes ? { problem: tooLarge } : { name: file.name, content };
}

export function proofErrorMessage(error: CallError): LocalizedMessage {
  // the server checks the file's actual type, completeness and size, not the browser's claims
  if (error.status === 413) return error.is('invalidRequest') ? tooLarge : tooLargeForProxy;
  if (error.is('invalidRequest') && error.params.field === 'file') return error.status === 422 ? damaged : wrongType;
  return isOutcomeUnknown(error) ? notSent : (i18n) => messageOfError(i18n, error);
}

/** Longest edge that is sent, in pixels: a screenshot of a bank's app is readable at this size. */
const longestEdge = 1600;
const jpegQuality = 0.85;

/** The decoded picture, upright; undefined if the browser cannot read it. */
async function decodePicture(file: Blob): Promise<ImageBitmap | undefined> {
  try {
    return await createImageBitmap(file);
  } catch {
    // truncated, damaged, too large for the phone's memory, or no picture
    return undefined;
  }
}

function drawPicture(picture: ImageBitmap, { width, height }: Size, canvas: HTMLCanvasElement): HTMLCanvasElement {
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.drawImage(picture, 0, 0, width, height);
  return canvas;
}

/**
 * Shrinks a picture before it is sent, because phones are on slow networks. A photo is always re-encoded, because its
 * file contains where it was taken. Undefined if it cannot be decoded: the operator could not see it, either.
 */
async function shrinkPicture(file: Blob): Promise<Blob | undefined> {
  const picture = await decodePicture(file);
  if (!picture) return undefined;
  const size = fitWithin(picture, longestEdge);
  const asItIs = size.width === picture.width && size.height === picture.height && file.type !== 'image/jpeg';
  const jpeg = asItIs ? null : await toJpeg(drawPicture(picture, size, document.createElement('canvas')));
  picture.close();
  return jpeg ?? file;
}

function toJpeg(canvas: HTMLCanvasElement): Promise<Blob | null> {
  return new Promise((resolve) => {
    canvas.toBlob(resolve, 'image/jpeg', jpegQuality);
  });
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The same aspect ratio with no edge longer than `longest` pixels; never enlarged, and never zero. */
export function fitWithin({ width, height }: Size, longest: number): Size {
  const scale = Math.min(1, longest / Math.max(width, height, 1));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
