import { crc16, parseTlv, tlvField, type TlvFields } from './tlv.ts';

/**
 * Pix BR Code: the text of the QR code, as EMV merchant-presented TLV (`ID(2) LEN(2) VALUE`) closed by a CRC (Banco
 * Central do Brasil, Manual de Padrões para Iniciação do Pix). It has no expiry.
 */
export interface PixCharge {
  /** The receiver's Pix key: an email address, a number or a random UUID. */
  readonly pixKey: string;
  readonly merchantName: string;
  readonly merchantCity: string;
  /** Minor units of BRL. */
  readonly amount: number;
  /** The ID of the charge: up to 25 letters and digits. */
  readonly txid: string;
}

const crcHeader = '6304';

/**
 * The text of a static code with an amount. Throws RangeError for a txid or an amount that the format does not allow.
 */
export function brCode(charge: PixCharge): string {
  if (!/^[A-Za-z0-9]{1,25}$/.test(charge.txid)) throw new RangeError('txid must be 1 to 25 letters and digits');
  if (!Number.isSafeInteger(charge.amount) || charge.amount <= 0) throw new RangeError('amount must be minor units');
  const account = tlvField('00', 'br.gov.bcb.pix') + tlvField('01', charge.pixKey);
  const body = [
    tlvField('00', '01'),
    tlvField('26', account),
    tlvField('52', '0000'),
    tlvField('53', '986'),
    tlvField('54', (charge.amount / 100).toFixed(2)),
    tlvField('58', 'BR'),
    tlvField('59', plain(charge.merchantName, 25)),
    tlvField('60', plain(charge.merchantCity, 15)),
    tlvField('62', tlvField('05', charge.txid)),
    crcHeader,
  ].join('');
  return body + crc16(body);
}

/**
 * The top-level fields by ID. Undefined if the CRC or the structure is wrong: a valid CRC does not prove the
 * structure.
 */
export function parseBrCode(text: string): TlvFields | undefined {
  if (text.slice(-8, -4) !== crcHeader || crc16(text.slice(0, -4)) !== text.slice(-4).toUpperCase()) return undefined;
  const fields = parseTlv(text);
  if (!fields || fields.get('00') !== '01' || !hasPixAccount(fields)) return undefined;
  const required = ['52', '53', '58', '59', '60', '62', '63'];
  return required.every((id) => fields.get(id)) ? fields : undefined;
}

/** The account is one of the fields 26 to 51, identified by its field 00, which is case-insensitive. */
function hasPixAccount(fields: TlvFields): boolean {
  return [...fields].some(([id, value]) => {
    if (id < '26' || id > '51') return false;
    const account = parseTlv(value);
    return account?.get('00')?.toLowerCase() === 'br.gov.bcb.pix' && Boolean(account.get('01') ?? account.get('25'));
  });
}

/** Banks refuse accents in names: `São Paulo` becomes `SAO PAULO`. */
function plain(value: string, max: number): string {
  const ascii = value.normalize('NFD').replace(/[^\x20-\x7e]/g, '');
  return ascii.toUpperCase().slice(0, max).trim() || 'LOJA';
}
