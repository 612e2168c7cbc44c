import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { ProofRejection } from '#contract/next-step.ts';

/** What is wrong with the proof of payment, and what helps. */
const words: Readonly<Record<ProofRejection['reason'], MessageDescriptor>> = {
  notFound: msg`We did not find this transfer in our account. Please send a picture on which amount and reference can be read.`,
  unreadable: msg`We could not read the picture. Please send a sharper one that shows the whole confirmation.`,
  otherAmount: msg`The amount on the picture is not the amount of this order. Please check it and send another picture.`,
  otherReference: msg`The reference on the picture is not the one of this order. Please check it and send another picture.`,
  noTransfer: msg`The picture shows no transfer. Please send the confirmation that your bank shows when the transfer is done.`,
};

/** Why a proof of payment was rejected. The operator's remark is shown as plain text in their language. */
export function RejectionText({ rejection }: { rejection: ProofRejection }) {
  const { i18n } = useLingui();
  return (
    <>
      <span>{i18n._(words[rejection.reason])}</span>
      {rejection.words === undefined ? null : (
        <>
          <span> </span>
          <q dir="auto">{rejection.words}</q>
        </>
      )}
    </>
  );
}
