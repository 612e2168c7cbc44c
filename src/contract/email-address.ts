import { normalizeToken } from './normalize-text.ts';

/** Every runtime has `URL`; the contract is compiled without any runtime's library. */
declare const URL: new (address: string) => { readonly hostname: string };

/** Punctuation around an address copied from a sentence, a link or an email header. */
const leading = /^(?:mailto:|[<(["',;:])+/i;
const trailing = /[>)\]"',;:.]+$/;

/**
 * An address as it is stored, compared and sent to: in lower case, without spaces and invisible characters, its domain
 * in ASCII (IDNA by the WHATWG URL Standard), so that `name@Bücher.de` and `name@xn--bcher-kva.de` are one account.
 */
export function normalizeEmail(text: string): string {
  // twice, because some signs become an apostrophe in lower case
  const plain = normalizeToken(normalizeToken(text).toLowerCase()).replace(leading, '').replace(trailing, '');
  const at = plain.lastIndexOf('@');
  return at === -1 ? plain : plain.slice(0, at + 1) + asciiDomain(plain.slice(at + 1));
}

/** Returns an invalid domain unchanged or empty; the address is then refused. */
function asciiDomain(typed: string): string {
  const domain = typed.replace(/[\u3002\uFF0E\uFF61]/g, '.');
  if (/^[a-z0-9.-]*$/.test(domain) && !domain.includes('xn--')) return domain;
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    // not valid by IDNA; the empty domain is refused
    return '';
  }
}

const atom = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/**
 * The pattern of the HTML Standard (4.10.5.1.5) for `normalizeEmail`, without what no mail server accepts: consecutive,
 * leading or trailing dots in the local part (RFC 5321, 4.1.2), and domains without a dot or with a numeric top-level
 * label.
 */
const address = new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+(?=[a-z0-9-]*[a-z])${label}$`);

const maxEmailLength = 160;

/** Whether email can be sent to it. `email` is normalized by `normalizeEmail`. */
export const isEmailAddress = (email: string): boolean => email.length <= maxEmailLength && address.test(email);
