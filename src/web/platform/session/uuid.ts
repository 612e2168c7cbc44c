/**
 * A random UUID (version 4). `crypto.randomUUID` exists only on https and localhost, and a phone that tests the
 * storefront at an address of the local network has neither.
 */
export function uuid(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  // The version and the variant have fixed bits (RFC 9562, section 5.4).
  const fixed = (byte: number, index: number) =>
    index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))].map(fixed);
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
