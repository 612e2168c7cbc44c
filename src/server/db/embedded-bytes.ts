import { types, type PGlite } from '@electric-sql/pglite';

/**
 * Lets Node spell bytes for an embedded database. PGlite spells them one by one in JavaScript: a picture of 4 MiB would
 * hold the whole server up for a second, and this takes a hundredth of it.
 */
export function spellBytes(client: Pick<PGlite, 'serializers' | 'parsers'>): void {
  client.serializers[types.BYTEA] = (value: unknown) => {
    if (!(value instanceof Uint8Array)) throw new TypeError('bytes must be a Uint8Array');
    return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
  };
  client.parsers[types.BYTEA] = (text: string) => Buffer.from(text.slice(2), 'hex');
}
