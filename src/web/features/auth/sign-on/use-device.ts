import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { HandoverPurchase } from '#contract/handover.ts';
import { storeSecrets, peekSecret, consumeSecret } from '#web/platform/entry/secret-store.ts';
import { safeReturnPath } from '#web/platform/entry/return-path.ts';
import { correctScreen, currentScene, setScene } from '#web/platform/entry/scene.ts';
import { stringifySearch } from '#web/platform/entry/search.ts';
import type { LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { getSession } from '#web/platform/session/session.ts';
import {
  confirmDevice,
  expired,
  findDevice,
  type QueriedDevice,
  type Outcome,
  type HandoverResult,
} from './device-calls.ts';
import { signInAs } from './use-sign-on.ts';
import { useAction } from '#web/platform/form/use-api-mutation.ts';

/** Loaded for a checkout only. */
const loadCheckout = () => import('./answer-handed-checkout.ts');

type DeviceStage =
  | { readonly kind: 'type'; readonly problem?: LocalizedMessage | undefined }
  | { readonly kind: 'looking'; readonly code: string }
  | {
      readonly kind: 'ask';
      readonly code: string;
      readonly box: QueriedDevice;
      /** the code came in a link, which anyone can send: the customer must compare it with the TV */
      readonly compare: boolean;
      readonly busy: boolean;
      readonly problem?: LocalizedMessage;
    }
  | { readonly kind: 'connected' | 'refused' };

const firstStage = (): DeviceStage => {
  const code = peekSecret('userCode');
  return code === undefined ? { kind: 'type' } : { kind: 'looking', code };
};

/** From the code of a TV to a login: on this device, or on the TV (RFC 8628). */
export function useDevice(returnTo: string | undefined) {
  const [stage, setStage] = useState(firstStage);
  const queryClient = useQueryClient();
  const goOn = useContinuation(returnTo);
  const typed = (code: string, box: QueriedDevice) => setStage({ kind: 'ask', code, box, compare: false, busy: false });
  const linked = (code: string, box: QueriedDevice) => setStage({ kind: 'ask', code, box, compare: true, busy: false });
  const typeAgain = (problem?: LocalizedMessage) => {
    consumeSecret('userCode');
    setStage({ kind: 'type', problem });
  };
  useLookUp(stage, linked, typeAgain);

  const reply = async (approve: boolean) => {
    if (stage.kind !== 'ask' || stage.busy) return;
    const { code, box } = stage;
    if (approve && box.account === null && !getSession()) return goOn.toLogin(code);
    setStage({ ...stage, busy: true });
    const send = box.plan === undefined ? confirmDevice : (await loadCheckout()).answerHandedCheckout;
    const outcome = await signInAs(queryClient, 'sso', () => send(code, approve), userOf);
    if ('problem' in outcome) {
      if (outcome.reason === 'invalidToken') return goOn.toLogin(code);
      if (outcome.gone) return typeAgain(outcome.problem);
      return setStage({ ...stage, busy: false, problem: outcome.problem });
    }
    consumeSecret('userCode');
    if (!approve) return setStage({ kind: 'refused' });
    const { user, purchase } = outcome.ok;
    if (purchase) return goOn.withCheckout(purchase);
    return user ? goOn.toTheirOrders() : setStage({ kind: 'connected' });
  };
  const { mutate: answer } = useReply(reply);
  return {
    stage,
    found: typed,
    yes: () => answer(true),
    no: () => answer(false),
    typeAgain: () => typeAgain(),
    tooLate: () => typeAgain(expired),
  };
}

/** Guarded by the action: two taps can happen before the next rendering. */
const useReply = (reply: (approve: boolean) => Promise<void>) =>
  useAction(async (approve: boolean) => {
    await reply(approve);
    return {};
  });

const userOf = (outcome: Outcome<HandoverResult>) => ('ok' in outcome ? outcome.ok.user : null);

/** Looks up the TV of a code from a link, once per code. */
function useLookUp(
  stage: DeviceStage,
  found: (code: string, box: QueriedDevice) => void,
  failed: (problem: LocalizedMessage) => void,
): void {
  const asked = useRef<string>(undefined);
  const latest = useRef({ found, failed });
  useEffect(() => {
    latest.current = { found, failed };
  });
  const code = stage.kind === 'looking' ? stage.code : undefined;
  useEffect(() => {
    if (code === undefined || asked.current === code) return;
    asked.current = code;
    void findDevice(code).then((outcome) =>
      'ok' in outcome ? latest.current.found(code, outcome.ok) : latest.current.failed(outcome.problem),
    );
  }, [code]);
}

function useContinuation(returnTo: string | undefined) {
  const navigate = useNavigate();
  return {
    /** The code stays in memory during the login, in no URL. */
    toLogin: (code: string) => {
      storeSecrets({ userCode: code });
      const back = `/device${stringifySearch({ return: returnTo })}`;
      void navigate({ to: '/login', search: { return: back } });
    },
    toTheirOrders: async () => {
      await switchToTvScene();
      await navigate({ href: safeReturnPath(returnTo) ?? '/stb-orders', replace: true });
    },
    withCheckout: async (purchase: HandoverPurchase) => {
      await switchToTvScene();
      const { openHandedCheckout } = await loadCheckout();
      await navigate({ href: openHandedCheckout(purchase), replace: true });
    },
  };
}

/** The rest belongs to the TV: its orders, its payment. */
async function switchToTvScene(): Promise<void> {
  if (currentScene().scene !== 'STB') setScene({ scene: 'STB', entranceWay: 'boxScanQR' });
  await correctScreen();
}
