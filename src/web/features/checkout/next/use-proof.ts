import { msg } from '@lingui/core/macro';
import { useRef, useState } from 'react';
import { uploadLimitBytes } from '#contract/limits.ts';
import { orderUpload, uploadObject } from '#contract/payment-steps.ts';
import { type CallError, isOutcomeUnknown } from '#web/platform/api/api-error.ts';
import { usePreventReload } from '#web/platform/form/use-form.ts';
import { say, type Words } from '#web/platform/form/words.ts';
import { wordsOf } from '#web/platform/api/error-words.ts';
import { shrinkPicture } from './shrink-picture.ts';
import { useStepOptions } from './use-step-act.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';
import { useAction } from '#web/platform/form/use-action.ts';

/** The accepted types, for the file input. */
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

/** The proof of payment, from selection to upload. A file that could not be sent stays selected. */
export function useProof(orderId: string, ask: () => void) {
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
    setState({ proof, problem: error && wordsOfProof(error) });
    return {};
  });
  return { ...state, choose: (file: File) => void choose(file), send: () => sending.mutate() };
}

async function prepareProof(file: File): Promise<Proof | { problem: Words }> {
  if (!proofTypes.includes(file.type)) return { problem: wrongType };
  if (file.size === 0) return { problem: empty };
  const content = file.type.startsWith('image/') ? await shrinkPicture(file) : file;
  if (!content) return { problem: damaged };
  return content.size > uploadLimitBytes ? { problem: tooLarge } : { name: file.name, content };
}

export function wordsOfProof(error: CallError): Words {
  // the server checks the file's actual type, completeness and size, not the browser's claims
  if (error.status === 413) return error.is('invalidRequest') ? tooLarge : tooLargeForProxy;
  if (error.is('invalidRequest') && error.params.field === 'file') return error.status === 422 ? damaged : wrongType;
  return isOutcomeUnknown(error) ? notSent : (i18n) => wordsOf(i18n, error);
}
