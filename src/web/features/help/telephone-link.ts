/** A number as people write it, as a link that dials it (RFC 3966): the leading plus and the digits. */
export function telephoneLink(phone: string): string {
  const plus = phone.trim().startsWith('+') ? '+' : '';
  return `tel:${plus}${phone.replaceAll(/\D/g, '')}`;
}
