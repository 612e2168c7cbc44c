import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contradictions, type Contradiction } from './contradictions.ts';
import { pathOf, problemsOf, readYaml, parseAsWritten, type Problem } from './read-yaml.ts';
import { brandFileIn, filesIn, missingBrandFile, unreadFiles } from './folder-files.ts';
import { readAllWords, readDocuments, unknownWords } from './read-texts.ts';
import { rowsOf, type BrandRows } from './rows.ts';
import { brandFileSchema, type BrandFile } from './schema.ts';
import { didYouMean } from './near-names.ts';
import { nameOf } from './sentences.ts';
import { isCompleteFile, detectFileType } from '#server/runtime/file-types.ts';
import { drawingFaultsOfBytes } from './drawing-faults.ts';
import { makeIcons, pictureOf, emptyDrawingMessage, isEmpty, drawingRemarks, type Picture } from './icons.ts';
import { withDrawing, type Draw } from './draw.ts';

/** A brand as read from its folder; no `file` where it cannot be parsed. */
interface ReadBrand {
  readonly file?: BrandFile;
  /** present where all problems are remarks */
  readonly rows?: BrandRows;
  readonly problems: readonly Problem[];
}

/** Contradictions of a file with what is outside of it, such as the payment providers of this version. */
export type FindOutside = (file: BrandFile) => readonly Contradiction[];

/**
 * Reads a brand's folder. Reports problems by file and line: all of the settings at once, then those of settings together
 * and of the documents.
 */
export function readBrandFolder(folder: string, outside: FindOutside = () => []): ReadBrand {
  const name = brandFileIn(folder);
  if (name === undefined) return { problems: [missingBrandFile(folder)] };
  const yaml = readYaml(name, readFileSync(join(folder, name)));
  if (yaml.value === undefined) return { problems: yaml.problems };
  const { parsed, oddNumbers } = parseAsWritten(brandFileSchema, yaml);
  const placed = ({ path, message, remark }: Contradiction): Problem => ({
    file: name,
    line: yaml.lineOf(path),
    message: `${nameOf(path)}: ${message}`,
    ...(remark && { remark }),
  });
  if (!parsed.success) {
    const wrong = new Set(parsed.issues.map((issue) => nameOf(pathOf(issue))));
    const odd = oddNumbers.filter(({ path }) => !wrong.has(nameOf(path))).map(placed);
    return { problems: [...yaml.problems, ...problemsOf(brandFileSchema, parsed.issues, name, yaml), ...odd] };
  }
  const file = parsed.output;
  const against = [...oddNumbers, ...contradictions(file), ...outside(file)].map(placed);
  const documents = readDocuments(folder, file);
  const words = readAllWords(folder);
  const problems = [...yaml.problems, ...against, ...documents.problems, ...words.problems];
  const isWhole = problems.every(({ remark }) => remark);
  return {
    file,
    ...(isWhole && { rows: rowsOf(file, { documents: documents.rows, wordings: words.rows }) }),
    problems,
  };
}

/**
 * As `readBrandFolder`, with the slower checks: whether each text exists, and what the images contain. Its rows include
 * the images.
 */
export async function checkFolder(folder: string, outside?: FindOutside): Promise<ReadBrand> {
  const { file, rows, problems: read } = readBrandFolder(folder, outside);
  const { pictures, problems: seen } = file ? await readPictures(folder, file) : { pictures: [], problems: [] };
  const unread = file ? unreadFiles(folder, file) : [];
  const problems = [...read, ...seen, ...unread, ...unknownWords(folder)];
  const isWhole = problems.every(({ remark }) => remark);
  return {
    ...(file && { file }),
    ...(rows && isWhole && { rows: { ...rows, pictures } }),
    problems: problems.toSorted((one, other) => Number(one.remark ?? false) - Number(other.remark ?? false)),
  };
}

const types = { svg: 'image/svg+xml', png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const;
/** In the header with or without the name, behind forms on desktop and phone, and screenshots of the install dialog. */
const named = /^(wordmark|avatar|background|mobile-background)\.(svg|png|jpg|webp)$/;
const shown = /^(?:\d-)?[a-z\d-]+-(\d{2,4})x(\d{2,4})\.(png)$/;
const fixedNames = ['wordmark.svg', 'avatar.svg', 'background.jpg', 'mobile-background.jpg'];
const pictureNames = `${fixedNames.join(', ')} (or .png, .webp), or a picture for the install dialog such as 1-home-720x1480.png`;
const mostBytes = 400_000;
/** A larger file is an embedded photograph, which delays every page. */
const mostBytesOfDrawing = 60_000;

type BrandLooks = Pick<BrandFile, 'code' | 'tenantId' | 'themeColor' | 'icon'>;

interface ReadPictures {
  readonly pictures: Picture[];
  readonly problems: Problem[];
}

/** The images of a folder: icons generated from its logo, and its own files. */
export function readPictures(folder: string, file: BrandLooks): Promise<ReadPictures> {
  return withDrawing((draw) => drawPictures(folder, file, draw));
}

async function drawPictures(folder: string, file: BrandLooks, draw: Draw): Promise<ReadPictures> {
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

async function ownPictures(place: string, tenantId: string, draw: Draw): Promise<ReadPictures> {
  const problems: Problem[] = [];
  const pictures: Picture[] = [];
  for (const name of filesIn(place)) {
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
    return [`is not known: ${pictureNames}${didYouMean(name, fixedNames)}`];
  }
  const most = type === types.svg ? mostBytesOfDrawing : mostBytes;
  if (bytes.byteLength > most) return [`has more than ${most} bytes: ${bytes.byteLength}`];
  if (type === types.svg) return drawingFaultsOfBytes(bytes);
  if (type === undefined || detectFileType(bytes, [type]) === undefined)
    return [`is another kind of file than its name says${kindSeen(bytes)}`];
  if (!isCompleteFile(bytes, type)) return ['is not whole: its end is missing'];
  if (width === undefined) return [];
  // every PNG has width and height in its first chunk
  const [real, tall] = bytes.byteLength < 24 ? [0, 0] : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const fits = real === Number(width) && tall === Number(height);
  return fits ? [] : [`is ${real} by ${tall} pixels, and its name says ${width} by ${height}: correct the name`];
}

function kindSeen(bytes: Buffer): string {
  const seen = detectFileType(bytes, Object.values(types));
  const [end] = Object.entries(types).find(([, type]) => type === seen) ?? [];
  return end === undefined ? '' : `; it would end in .${end}`;
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
