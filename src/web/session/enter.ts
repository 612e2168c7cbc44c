import type { QueryClient } from '@tanstack/react-query';
import type { UserInfo } from '../../contract/auth.ts';
import { ownerKey } from '../storage/keys.ts';
import { setSession } from './session.ts';
import { wipePersonal } from './leave.ts';

/** Signs in. What another person left on this device after an expired session is wiped first. */
export async function logIn(user: UserInfo, queryClient: QueryClient): Promise<void> {
  const owner = ownerKey.get();
  if (owner !== undefined && owner !== user.uid) await wipePersonal(queryClient);
  setSession(user);
  void queryClient.invalidateQueries();
}
