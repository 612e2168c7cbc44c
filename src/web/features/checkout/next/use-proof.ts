import { msg } from '@lingui/core/macro';
import { useRef, useState } from 'react';
import { uploadLimitBytes } from '../../../../contract/limits.ts';
import { orderUpload, uploadObject } from '../../../../contract/payment-steps.ts';
import { type ApiError, isOutcomeUnknown } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { useKeepOpen } from '../../../form/use-keep-open.ts';
import { say, type Words } from '../../../form/words.ts';
import { wordsOf } from '../../../i18n/error-words.ts';
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
const notSent = say(
  msg`The connection was lost, and your picture may not have arrived. It is still here: send it again.`,
);

/** The proof of a transfer, from the file to the shop. A file that could not be sent stays chosen. */
export function useProof(orderId: string, ask: () => void) {
  const act = useStepAct(orderId, ask);
  const [state, setState] = useState<ProofState>({});
  const stored = useRef<{ proof: Proof; objectId: string }>(undefined);
  useKeepOpen(state.proof !== undefined);
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
  const content = file.type.startsWith('image/') ? await shrinkPicture(file) : file;
  return content.size > uploadLimitBytes ? { problem: tooLarge } : { name: file.name, content };
}

function wordsOfProof(error: ApiError): Words {
  return isOutcomeUnknown(error) ? notSent : (i18n) => wordsOf(i18n, error);
}
