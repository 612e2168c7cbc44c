/** Longest edge that is sent, in pixels: a screenshot of a bank's app is readable at this size. */
const longestEdge = 1600;
const jpegQuality = 0.85;

/** The decoded picture, upright; undefined if the browser cannot read it. */
export async function decodePicture(file: Blob): Promise<ImageBitmap | undefined> {
  try {
    return await createImageBitmap(file);
  } catch {
    // truncated, damaged, too large for the phone's memory, or no picture
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
 * Shrinks a picture before it is sent, because phones are on slow networks. A photo is always re-encoded, because its
 * file contains where it was taken. Undefined if it cannot be decoded: the operator could not see it, either.
 */
export async function shrinkPicture(file: Blob): Promise<Blob | undefined> {
  const picture = await decodePicture(file);
  if (!picture) return undefined;
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

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The same aspect ratio with no edge longer than `longest` pixels; never enlarged, and never zero. */
export function fitWithin({ width, height }: Size, longest: number): Size {
  const scale = Math.min(1, longest / Math.max(width, height, 1));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
