import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Order } from '../../../contract/order.ts';
import { getSession } from '../../session/session.ts';
import { makeNewCode, repayPath } from './new-code.ts';

/** The button "Generate a new code": `made` is called when the page has one to show, else the checkout opens. */
export function useNewCode(order: Order | undefined, made: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const make = async () => {
    const uid = getSession()?.uid;
    if (!order || !uid || busy) return;
    setBusy(true);
    const done = await makeNewCode(order, uid, client);
    setBusy(false);
    if (done) made();
    else await navigate({ href: repayPath(order) });
  };
  return { busy, make: () => void make() };
}
