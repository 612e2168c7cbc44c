import { fitWithin, type Size } from './fit-within.ts';

/** Longest edge that is sent, in pixels: the numbers of a bank's screen can be read at this size. */
const longestEdge = 1600;
const jpegQuality = 0.85;

/** The picture in a file, upright; undefined for what the browser cannot read. */
export async function decodePicture(file: Blob): Promise<ImageBitmap | undefined> {
  try {
    return await createImageBitmap(file);
  } catch {
    // no picture, or of a kind that this browser does not know: the server says what it takes
    return undefined;
  }
}

export function drawn(picture: ImageBitmap, { width, height }: Size, canvas: HTMLCanvasElement): HTMLCanvasElement {
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.drawImage(picture, 0, 0, width, height);
  return canvas;
}

/**
 * The picture as it is sent: no larger than it has to be, because phones are on slow networks. A photo is drawn anew in
 * any case, because its file tells where it was taken.
 */
export async function shrinkPicture(file: Blob): Promise<Blob> {
  const picture = await decodePicture(file);
  if (!picture) return file;
  const size = fitWithin(picture, longestEdge);
  const asItIs = size.width === picture.width && size.height === picture.height && file.type !== 'image/jpeg';
  const jpeg = asItIs ? null : await toJpeg(drawn(picture, size, document.createElement('canvas')));
  picture.close();
  return jpeg ?? file;
}

function toJpeg(canvas: HTMLCanvasElement): Promise<Blob | null> {
  return new Promise((resolve) => {
    canvas.toBlob(resolve, 'image/jpeg', jpegQuality);
  });
}
