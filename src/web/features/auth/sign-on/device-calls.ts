import { msg } from '@lingui/core/macro';
import type { ErrorName } from '#contract/error-codes.ts';
import type { Result } from '#contract/endpoint.ts';
import type { takeHandover } from '#contract/handover.ts';
import { deviceConfirm, deviceQuery } from '#contract/sign-on.ts';
import { storedDeviceToken } from '#web/domain/auth/complete-sign-in.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { attempt, type Attempt } from '#web/platform/api/client.ts';
import { localizedMessage, type LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { messageOfError } from '#web/platform/api/error-message.ts';

export type QueriedDevice = Result<typeof deviceQuery>;
/** The customer who is now logged in on the phone, if that changed, and the checkout that it was handed. */
export type HandoverResult = Result<typeof takeHandover>;

/** The result of a call: its response, or a message. `gone`: this code is permanently invalid. */
export type Outcome<T> =
  | { readonly ok: T }
  | { readonly problem: LocalizedMessage; readonly gone: boolean; readonly reason: ErrorName | undefined };

/** Returns the TV that shows this code. */
export const findDevice = async (userCode: string): Promise<Outcome<QueriedDevice>> =>
  outcomeOf(await attempt(deviceQuery, { body: { userCode } }));

/** Approves or refuses the TV's request to log in, or accepts its account. */
export async function confirmDevice(userCode: string, approve: boolean): Promise<Outcome<HandoverResult>> {
  const body = { userCode, approve, device: storedDeviceToken() };
  const { result, error } = await attempt(deviceConfirm, { body });
  return outcomeOf(result ? { result: { user: result.user, purchase: null } } : { error });
}

export function outcomeOf<T>({ result, error }: Attempt<T>): Outcome<T> {
  if (!error) return { ok: result };
  return { problem: wordsFor(error), gone: error.is('requestExpired', 'codeNotFound'), reason: error.reason };
}

export const expired: LocalizedMessage = localizedMessage(msg`This code has expired. Enter the new one on your TV.`);
const unknown = localizedMessage(msg`No TV is waiting for this code. Compare it with your TV, letter by letter.`);
const tooMany = localizedMessage(msg`Too many tries. Wait a few minutes, then try again.`);

function wordsFor(error: CallError): LocalizedMessage {
  switch (error.reason) {
    case 'requestExpired':
      return expired;
    case 'codeNotFound':
      return unknown;
    case 'tooFrequent':
      return tooMany;
    default:
      return (i18n) => messageOfError(i18n, error);
  }
}
