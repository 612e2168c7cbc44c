/** What a phone's dialler takes: digits, `*`, `#` and a leading `+`. */
const dialled = /^\+?[\d*#]{2,24}$/;

/**
 * The address that opens the dialler with a service code such as `#144*391#`, undefined for anything else. The `#` is
 * escaped, or it would begin the fragment of the address and be lost (RFC 3966).
 */
export function dialLink(code: string): string | undefined {
  return dialled.test(code) ? `tel:${code.replaceAll('#', '%23')}` : undefined;
}
