/** Magic bytes of file types; `at` is the offset in bytes. */
const beginnings: Readonly<Record<string, { readonly at: number; readonly bytes: readonly number[] }>> = {
  'image/jpeg': { at: 0, bytes: [0xff, 0xd8, 0xff] },
  'image/png': { at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  // RIFF, four bytes of length, WEBP
  'image/webp': { at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
  'application/pdf': { at: 0, bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
};

/** The type according to the file's first bytes. */
export function detectFileType<Type extends string>(file: Buffer, types: readonly Type[]): Type | undefined {
  return types.find((type) => {
    const beginning = beginnings[type];
    return beginning?.bytes.every((byte, index) => file[beginning.at + index] === byte) ?? false;
  });
}

/**
 * Whether a file contains the end marker of its type: an interrupted upload shows half of a receipt at best. Pixels are
 * not decoded; bytes after the end are allowed, because phones append data there.
 */
export function isCompleteFile(file: Buffer, type: string): boolean {
  return wholes[type]?.(file) ?? true;
}

const wholes: Readonly<Record<string, (file: Buffer) => boolean>> = {
  'image/jpeg': hasJpegEnd,
  'image/png': hasPngEnd,
  // the length counts from after its own field (RFC 9649, 2.4)
  'image/webp': (file) => file.byteLength >= 12 && file.readUInt32LE(4) + 8 <= file.byteLength,
  // "%%EOF" is within the last kilobyte (ISO 32000-1, annex H, 18); some mailers append a signature or blanks
  'application/pdf': (file) => file.subarray(-4096).includes('%%EOF'),
};

/** Chunks of length, name, data and checksum, the last of which is IEND (PNG, 5.3 and 11.2.5). */
function hasPngEnd(file: Buffer): boolean {
  for (let at = 8; at + 12 <= file.byteLength; at += 12 + file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) === 'IEND') return true;
  }
  return false;
}

const jpegEnd = 0xd9;
const jpegScan = 0xda;
/** Markers without a length (ITU-T T.81, B.1.1.3). */
const standsAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/**
 * Segments of a marker and a length, and after each start of scan its coded data, up to the end-of-image marker (ITU-T
 * T.81, B.2). A thumbnail inside a segment has an end marker of its own, so segments are skipped.
 */
function hasJpegEnd(file: Buffer): boolean {
  let at = 2;
  while (at + 1 < file.byteLength) {
    const marker = file[at + 1] ?? 0;
    if (file[at] !== 0xff) return false;
    if (marker === jpegEnd) return true;
    if (marker === 0xff) at += 1;
    else if (standsAlone(marker)) at += 2;
    else if (at + 3 >= file.byteLength) return false;
    else {
      at += 2 + file.readUInt16BE(at + 2);
      if (marker === jpegScan) at = endOfScan(file, at);
    }
  }
  return false;
}

/** The offset of the next marker: within coded data FF is followed by a zero, or by a restart number. */
function endOfScan(file: Buffer, from: number): number {
  let at = file.indexOf(0xff, from);
  while (at >= 0 && at + 1 < file.byteLength) {
    const next = file[at + 1] ?? 0;
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
    at = file.indexOf(0xff, at + 2);
  }
  return file.byteLength;
}
