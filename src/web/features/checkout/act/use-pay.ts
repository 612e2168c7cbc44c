import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createPaySession, type PaySettings } from './pay-session.ts';

/** The pay act of this page, from the first drawing to the last ([Note: The pay act]). */
export function usePay(settings: Omit<PaySettings, 'client'>) {
  const client = useQueryClient();
  const [session] = useState(() => createPaySession({ ...settings, client }));
  const state = useSyncExternalStore(session.subscribe, session.getState, session.getState);
  useEffect(() => session.open(), [session]);
  const { justPaid } = settings.tip;
  useEffect(() => session.hear(justPaid), [session, justPaid]);
  return { session, state };
}
