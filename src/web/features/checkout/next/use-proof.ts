import { msg } from '@lingui/core/macro';
import { useRef, useState } from 'react';
import { uploadLimitBytes } from '#contract/limits.ts';
import { orderUpload, uploadObject } from '#contract/payment-steps.ts';
import { type ApiError, isOutcomeUnknown } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { usePreventReload } from '#web/platform/form/use-form.ts';
import { say, type Words } from '#web/platform/form/words.ts';
import { wordsOf } from '#web/platform/api/error-words.ts';
import { shrinkPicture } from './shrink-picture.ts';
import { useStepAct } from './use-step-act.ts';

/** What can be sent, as the file input is told. */
export const proofTypes: readonly string[] = uploadObject.file.types;

/** A file as it will be sent. */
export interface Proof {
  readonly name: string;
  readonly content: Blob;
}

interface ProofState {
  readonly proof?: Proof | undefined;
  readonly busy?: 'preparing' | 'sending' | undefined;
  readonly problem?: Words | undefined;
}

const noFile = say(msg`Please choose a picture of the transfer first.`);
const wrongType = say(msg`This file cannot be read here. Please choose a picture (JPEG, PNG or WebP) or a PDF.`);
const tooLarge = say(msg`This file is too large. Please choose one of at most 4 MB.`);
/** A proxy in front of the shop has a limit of its own, which the shop does not know. */
const tooLargeForProxy = say(
  msg`This file is too large to be sent from here. Please choose a smaller one, such as a screenshot.`,
);
const damaged = say(
  msg`This picture cannot be opened: it is damaged, or not whole. Please take a screenshot of the transfer and choose that.`,
);
const empty = say(msg`This file is empty. Please choose another one.`);
const notSent = say(
  msg`The connection was lost, and your picture may not have arrived. It is still here: send it again.`,
);

/** The proof of a transfer, from the file to the shop. A file that could not be sent stays chosen. */
export function useProof(orderId: string, ask: () => void) {
  const act = useStepAct(orderId, ask);
  const [state, setState] = useState<ProofState>({});
  const stored = useRef<{ proof: Proof; objectId: string }>(undefined);
  usePreventReload(state.proof !== undefined);
  const choose = async (file: File) => {
    if (state.busy) return;
    setState({ proof: state.proof, busy: 'preparing' });
    const chosen = await prepared(file);
    setState('problem' in chosen ? { proof: state.proof, ...chosen } : { proof: chosen });
  };
  const upload = async (proof: Proof) => {
    // what has been stored is not sent again when only handing it in was lost
    if (stored.current?.proof !== proof) {
      const { objectId } = await call(uploadObject, { file: proof.content }, { quiet: true });
      stored.current = { proof, objectId };
    }
    return call(orderUpload, { body: { orderId, objectId: stored.current.objectId } }, { quiet: true });
  };
  const send = async () => {
    const { proof, busy } = state;
    if (busy) return;
    if (!proof) return setState({ problem: noFile });
    setState({ proof, busy: 'sending' });
    const error = await act(() => upload(proof));
    return setState({ proof, problem: error && wordsOfProof(error) });
  };
  return { ...state, choose: (file: File) => void choose(file), send: () => void send() };
}

async function prepared(file: File): Promise<Proof | { problem: Words }> {
  if (!proofTypes.includes(file.type)) return { problem: wrongType };
  if (file.size === 0) return { problem: empty };
  const content = file.type.startsWith('image/') ? await shrinkPicture(file) : file;
  if (!content) return { problem: damaged };
  return content.size > uploadLimitBytes ? { problem: tooLarge } : { name: file.name, content };
}

export function wordsOfProof(error: ApiError): Words {
  // the server looks at what the file is, whether that is all of it, and at its size, and not at what the browser calls it
  if (error.status === 413) return error.is('invalidRequest') ? tooLarge : tooLargeForProxy;
  if (error.is('invalidRequest') && error.params.field === 'file') return error.status === 422 ? damaged : wrongType;
  return isOutcomeUnknown(error) ? notSent : (i18n) => wordsOf(i18n, error);
}
