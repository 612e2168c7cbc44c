/**
 * EMV merchant-presented QR text: consecutive `ID(2) LEN(2) VALUE` fields, closed by a CRC (EMVCo, QR Code
 * Specification for Payment Systems, Merchant-Presented Mode). Pix and PayNow both use it.
 */
export type TlvFields = ReadonlyMap<string, string>;

/** One field. Throws RangeError for an invalid ID or a value of more than 99 characters. */
export function tlvField(id: string, value: string): string {
  if (!/^\d{2}$/.test(id)) throw new RangeError('id must be two digits');
  if (value.length > 99) throw new RangeError(`field ${id} is longer than 99 characters`);
  return id + String(value.length).padStart(2, '0') + value;
}

/** The fields of one level. Undefined if lengths do not fit, or an ID repeats or is not a number. */
export function parseTlv(text: string): TlvFields | undefined {
  const fields = new Map<string, string>();
  let at = 0;
  while (at < text.length) {
    const header = /^(\d{2})(\d{2})/.exec(text.slice(at, at + 4));
    const [, id, length] = header ?? [];
    const value = text.slice(at + 4, at + 4 + Number(length));
    if (id === undefined || value.length !== Number(length) || fields.has(id)) return undefined;
    fields.set(id, value);
    at += 4 + value.length;
  }
  return fields;
}

/** CRC-16/CCITT-FALSE as four upper-case hex digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
