import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCompleteFile, detectFileType } from '#server/runtime/file-types.ts';
import { drawingFaultsOfBytes } from './drawing-faults.ts';
import { makeIcons, pictureOf, type Picture, emptyDrawingMessage, isEmpty, drawingRemarks } from './icons.ts';
import { withDrawing, type Draw } from './draw.ts';
import type { Problem } from './read-yaml.ts';
import type { BrandFile } from './schema.ts';

const types = { svg: 'image/svg+xml', png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const;
/** In the header with or without the name, behind forms on desktop and phone, and screenshots of the install dialog. */
const named = /^(wordmark|avatar|background|mobile-background)\.(svg|png|jpg|webp)$/;
const shown = /^(?:\d-)?[a-z\d-]+-(\d{2,4})x(\d{2,4})\.(png)$/;
const mostBytes = 400_000;
/** A larger file is an embedded photograph, which delays every page. */
const mostBytesOfDrawing = 60_000;

type BrandLooks = Pick<BrandFile, 'code' | 'tenantId' | 'themeColor' | 'icon'>;

/** The images of a folder: icons generated from its logo, and its own files. */
export function readPictures(folder: string, file: BrandLooks): Promise<{ pictures: Picture[]; problems: Problem[] }> {
  return withDrawing((draw) => drawPictures(folder, file, draw));
}

async function drawPictures(
  folder: string,
  file: BrandLooks,
  draw: Draw,
): Promise<{ pictures: Picture[]; problems: Problem[] }> {
  const { code, tenantId = code, themeColor, icon } = file;
  const own = await ownPictures(join(folder, 'pictures'), tenantId, draw);
  const place = join(folder, 'logo.svg');
  if (!existsSync(place)) {
    const message = 'is missing, so phones and chats show no icon of the brand';
    return { pictures: own.pictures, problems: [{ file: 'logo.svg', message, remark: true }, ...own.problems] };
  }
  const logo = readFileSync(place, 'utf8');
  const made = await makeIcons(logo, { tenantId, background: icon.background ?? themeColor, draw });
  const source = pictureOf(`/icons/${tenantId}/logo.svg`, types.svg, new TextEncoder().encode(logo));
  return { pictures: [source, ...made.pictures, ...own.pictures], problems: [...made.problems, ...own.problems] };
}

async function ownPictures(
  place: string,
  tenantId: string,
  draw: Draw,
): Promise<{ pictures: Picture[]; problems: Problem[] }> {
  const problems: Problem[] = [];
  const pictures: Picture[] = [];
  for (const name of existsSync(place) ? readdirSync(place).sort() : []) {
    const bytes = readFileSync(join(place, name));
    const file = `pictures/${name}`;
    const type = Object.entries(types).find(([end]) => name.endsWith(`.${end}`))?.[1];
    const faults = faultsOf(name, type, bytes);
    problems.push(...faults.map((message) => ({ file, message })));
    if (faults.length === 0 && type && named.test(name)) {
      const { fault, remarks } = await looksOf(name, type, bytes, draw);
      if (fault !== undefined) problems.push({ file, message: fault });
      problems.push(...remarks.map((message) => ({ file, message, remark: true as const })));
    }
    const folder = named.test(name) ? 'icons' : 'screenshots';
    if (type) pictures.push(pictureOf(`/${folder}/${tenantId}/${name}`, type, new Uint8Array(bytes)));
  }
  return { pictures, problems };
}

/** Problems with the name, the size and the bytes of a file. */
function faultsOf(name: string, type: string | undefined, bytes: Buffer): string[] {
  const [, width, height] = shown.exec(name) ?? [];
  if (!named.test(name) && width === undefined) {
    return [
      'is not known: wordmark.svg, avatar.svg, background.jpg, mobile-background.jpg, or a picture for the install sheet such as 1-home-720x1480.png',
    ];
  }
  const most = type === types.svg ? mostBytesOfDrawing : mostBytes;
  if (bytes.byteLength > most) return [`has more than ${most} bytes`];
  if (type === types.svg) return drawingFaultsOfBytes(bytes);
  if (type === undefined || detectFileType(bytes, [type]) === undefined)
    return ['is another kind of file than its name says'];
  if (!isCompleteFile(bytes, type)) return ['is not whole: its end is missing'];
  if (width === undefined) return [];
  // every PNG has width and height in its first chunk
  const [real, tall] = bytes.byteLength < 24 ? [0, 0] : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const fits = real === Number(width) && tall === Number(height);
  return fits ? [] : [`is ${real} by ${tall}, and its name says otherwise`];
}

/**
 * Whether it can be drawn and, if it is shown on a page, whether it is visible there; not for WebP, which the library
 * cannot read.
 */
async function looksOf(
  name: string,
  type: string,
  bytes: Buffer,
  draw: Draw,
): Promise<{ fault?: string; remarks: string[] }> {
  if (type === types.webp) return { remarks: [] };
  const data = `data:${type};base64,${bytes.toString('base64')}`;
  const framed = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128"><image href="${data}" width="128" height="128"/></svg>`;
  try {
    const drawn = await draw(type === types.svg ? bytes.toString('utf8') : framed, 128);
    if (isEmpty(drawn)) return { fault: emptyDrawingMessage, remarks: [] };
    return { remarks: /^(wordmark|avatar)\./.test(name) ? drawingRemarks(drawn) : [] };
  } catch (error) {
    return { fault: `cannot be drawn: ${error instanceof Error ? error.message : String(error)}`, remarks: [] };
  }
}
