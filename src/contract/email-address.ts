import { typedToken } from './typed-text.ts';

/** Every runtime has it; the contract is compiled without the library of any. */
declare const URL: new (address: string) => { readonly hostname: string };

/** Around an address that was copied out of a sentence, a link or the header of a mail. */
const leading = /^(?:mailto:|[<(["',;:])+/i;
const trailing = /[>)\]"',;:.]+$/;

/**
 * An address as it is stored, compared and sent to: in small letters, without spaces and invisible characters, its domain in
 * ASCII (IDNA by the WHATWG URL Standard), so that `name@Bücher.de` and `name@xn--bcher-kva.de` are one account.
 */
export function typedEmail(text: string): string {
  // twice, because the small letter of some signs is an apostrophe
  const plain = typedToken(typedToken(text).toLowerCase()).replace(leading, '').replace(trailing, '');
  const at = plain.lastIndexOf('@');
  return at === -1 ? plain : plain.slice(0, at + 1) + asciiDomain(plain.slice(at + 1));
}

/** What is no domain stays as it is, and is refused as an address. */
function asciiDomain(typed: string): string {
  const domain = typed.replace(/[\u3002\uFF0E\uFF61]/g, '.');
  if (/^[a-z0-9.-]*$/.test(domain) && !domain.includes('xn--')) return domain;
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    // no domain by IDNA, so that it is refused as none
    return '';
  }
}

const atom = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/**
 * The pattern of the HTML Standard (4.10.5.1.5) for `typedEmail`, less what no mail server takes: dots side by side or at an
 * end of the first part (RFC 5321, 4.1.2), and domains without a dot or with a number at their end.
 */
const address = new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+(?=[a-z0-9-]*[a-z])${label}$`);

export const maxEmailLength = 160;

/** Whether mail can be sent to it. `email` as `typedEmail` gives it. */
export const isEmailAddress = (email: string): boolean => email.length <= maxEmailLength && address.test(email);
