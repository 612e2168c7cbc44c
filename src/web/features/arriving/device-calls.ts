import { msg } from '@lingui/core/macro';
import type { Result } from '../../../contract/endpoint.ts';
import { deviceConfirm, deviceQuery } from '../../../contract/sign-on.ts';
import { heldDeviceToken } from '../../account-form/device-token.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { ownedBy } from '../../form/refusal.ts';
import { say, type Words } from '../../form/words.ts';
import { wordsOf } from '../../i18n/error-words.ts';

export type Box = Result<typeof deviceQuery>;
export type Confirmed = Result<typeof deviceConfirm>;

/** What came of a call: its answer, or what to say. `gone`: this code will never work again. */
export type Outcome<T> =
  | { readonly ok: T }
  | { readonly problem: Words; readonly gone: boolean; readonly code: number | undefined };

const owned = ownedBy(deviceConfirm.errors);

/** Which TV shows this code. */
export const lookUp = (userCode: string): Promise<Outcome<Box>> =>
  outcomeOf(call(deviceQuery, { body: { userCode } }, { owns: owned }));

/** Says yes or no for the TV. */
export const confirm = (userCode: string, approve: boolean): Promise<Outcome<Confirmed>> =>
  outcomeOf(call(deviceConfirm, { body: { userCode, approve, device: heldDeviceToken() } }, { owns: owned }));

async function outcomeOf<T>(calling: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: await calling };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const code = error.kind === 'refused' ? error.code : undefined;
    return { problem: wordsFor(error), gone: code === -3034 || code === -3033, code };
  }
}

export const expired: Words = say(msg`This code has expired. Type the new one that your TV shows.`);
const unknown = say(msg`No TV is waiting with this code. Compare it with your TV, letter by letter.`);
const tooMany = say(msg`That was tried too often. Wait a few minutes, then try again.`);

function wordsFor(error: ApiError): Words {
  switch (error.kind === 'refused' ? error.code : undefined) {
    case -3034:
      return expired;
    case -3033:
      return unknown;
    case -3031:
      return tooMany;
    default:
      return (i18n) => wordsOf(i18n, error);
  }
}
