import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import * as v from 'valibot';
import type { Logger } from '#server/runtime/log.ts';
import { askProvider, type SendRequest } from '../ask-provider.ts';

/** A merchant at UseePay, with its address. */
export interface UseepayAccount {
  /** scheme and host: `https://pay-gateway.useepay.com` */
  readonly base: string;
  readonly merchantNo: string;
  readonly appId: string;
  /** base64 of DER: ours in PKCS #8, theirs as SubjectPublicKeyInfo */
  readonly privateKey: string;
  readonly publicKey: string;
  readonly authorization: 'cvv' | 'threeds2.0';
  readonly send: SendRequest;
}

export type Fields = Readonly<Record<string, string>>;

export interface UseepayClient {
  /** Undefined if nothing may be concluded: no response, a broken connection, one without UseePay's signature. */
  ask(path: '/cashier' | '/api', fields: Fields): Promise<Fields | undefined>;
  /** whether UseePay has signed these fields */
  isSigned(fields: Fields): boolean;
}

/**
 * The signed text of a message: all of its fields with a value, sorted by name (useepay.gitbook.io, "signature-guide";
 * github.com/useepay2020/useepay-java, SecurityUtils): `amount=499&currency=USD...`, without `sign` itself. Of MD5 and
 * RSA with SHA-256, this adapter uses the latter.
 */
export function signedText(fields: Fields): string {
  return Object.entries(fields)
    .filter(([name, value]) => name !== 'sign' && value !== '')
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

export function signFields(fields: Fields, key: KeyObject): string {
  return sign('sha256', Buffer.from(signedText(fields)), key).toString('base64');
}

/** Calls UseePay with form data, and accepts only signed responses. Neither key leaves this file. */
export function useepayClient(account: UseepayAccount, { log }: { log: Logger }): UseepayClient {
  const { base, merchantNo, send } = account;
  const own = createPrivateKey({ key: Buffer.from(account.privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  const theirs = createPublicKey({ key: Buffer.from(account.publicKey, 'base64'), format: 'der', type: 'spki' });
  const isSigned = (fields: Fields): boolean =>
    verify('sha256', Buffer.from(signedText(fields)), theirs, Buffer.from(fields['sign'] ?? '', 'base64'));
  return {
    isSigned,
    ask: async (path, asked) => {
      const fields = { ...asked, version: '1.0', signType: 'RSA', merchantNo };
      const body = new URLSearchParams({ ...fields, sign: signFields(fields, own) });
      const answer = await askProvider(send, new Request(base + path, { method: 'POST', body }), answerSchema);
      if (!answer || answer.status === 429) return undefined;
      if (isSigned(answer.body)) return answer.body;
      log.error(
        { status: answer.status, errorCode: answer.body['errorCode'] },
        'UseePay answers without its signature',
      );
      return undefined;
    },
  };
}

/** Responses are flat; nested values are JSON text, and signed as that text. */
const answerSchema = v.pipe(
  v.record(v.string(), v.unknown()),
  v.transform((told): Fields =>
    Object.fromEntries(
      Object.entries(told).flatMap(([name, value]) =>
        typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
          ? [[name, String(value)]]
          : [],
      ),
    ),
  ),
);
