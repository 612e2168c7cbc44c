import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as endpoints from '#contract/index.ts';
import { headersOf, isCall, withHeader, type Mutant } from '#tests/tools/conformance/faults.ts';

interface SentProof {
  readonly path: string;
  readonly token: string;
  /** the proof of this request; undefined without one */
  readonly proof: string | undefined;
  /** the proof of the login */
  readonly ofLogin: string;
  readonly sentBefore: boolean;
}

const claim = ({ proof = '' }: SentProof, name: string) => decodeJwt(proof)[name];
const header = (proof = '') => decodeProtectedHeader(proof);
const isSigned = ({ proof }: SentProof) => proof !== undefined && header(proof).alg === 'ES256';

/**
 * A server that does not check one thing: for such a request it uses a second session of the same customer, which is not
 * bound to a key.
 */
function accepts(fault: string, isAccepted: (sent: SentProof) => boolean, call: Mutant['at'][0] = 'queryInfo'): Mutant {
  const plainTokens = new Map<string, string>();
  let ofLogin = '';
  return {
    fault,
    at: [call, 'proof'],
    answer: async ({ path, request, send, earlier }) => {
      const proof = headersOf(request).get('dpop') ?? undefined;
      if (isCall(endpoints.login, path) && proof !== undefined) {
        ofLogin = proof;
        const bound = await send(path, request);
        const plain = await send(path, withoutProof(request));
        plainTokens.set(await tokenIn(bound.clone()), await tokenIn(plain));
        return bound;
      }
      const token = headersOf(request).get('authorization') ?? '';
      const plain = plainTokens.get(token);
      const sentBefore = earlier.some((one) => proof !== undefined && headersOf(one.request).get('dpop') === proof);
      const isChanged = plain !== undefined && isAccepted({ path, token, proof, ofLogin, sentBefore });
      return send(path, isChanged ? withHeader(withoutProof(request), 'authorization', plain) : request);
    },
  };
}

function withoutProof(request: RequestInit): RequestInit {
  const headers = headersOf(request);
  headers.delete('dpop');
  return { ...request, headers };
}

async function tokenIn(response: Response): Promise<string> {
  const { data } = (await response.json()) as { data: { token: string } }; // as: the answer of a login
  return data.token;
}

export const mutantsOfProofs: readonly Mutant[] = [
  {
    fault: 'sessions are not bound',
    at: ['login', 'proof'],
    answer: ({ path, request, send }) => send(path, withoutProof(request)),
  },
  accepts('a bound token is accepted alone', ({ proof }) => proof === undefined),
  accepts('any key is accepted', (sent) => isSigned(sent) && !isSameKey(sent)),
  accepts(
    'a proof without the hash of a token is accepted',
    (sent) => isSigned(sent) && claim(sent, 'ath') === undefined,
  ),
  accepts(
    'a proof for another address is accepted',
    (sent) => isSigned(sent) && !String(claim(sent, 'htu')).endsWith(sent.path),
  ),
  accepts(
    'a proof for another host is accepted',
    (sent) => isSigned(sent) && String(claim(sent, 'htu')).startsWith('https://other.'),
  ),
  accepts('a proof for another method is accepted', (sent) => isSigned(sent) && claim(sent, 'htm') !== 'POST'),
  accepts('a proof without a signature is accepted', (sent) => sent.proof !== undefined && !isSigned(sent)),
  accepts(
    'an old proof is accepted',
    (sent) => isSigned(sent) && Number(claim(sent, 'iat')) < Number(decodeJwt(sent.ofLogin).iat) - 60,
  ),
  accepts('the proof of a write is accepted again', ({ sentBefore }) => sentBefore, 'saveNickname'),
];

/** Both proofs have the key of the login. */
const isSameKey = ({ proof, ofLogin }: SentProof) =>
  JSON.stringify(header(proof).jwk) === JSON.stringify(header(ofLogin).jwk);
