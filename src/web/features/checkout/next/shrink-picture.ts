/** Longest edge that is sent, in pixels: the numbers of a bank's screen can be read at this size. */
const longestEdge = 1600;
const jpegQuality = 0.85;

/** The picture in a file, upright; undefined for what the browser cannot read. */
export async function decodePicture(file: Blob): Promise<ImageBitmap | undefined> {
  try {
    return await createImageBitmap(file);
  } catch {
    // cut short, damaged, larger than the phone's memory, or no picture at all
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
 * The picture as it is sent: no larger than it has to be, because phones are on slow networks. A photo is drawn again in
 * any case, because its file tells where it was taken. Undefined for one that cannot be read: nobody else could, either.
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

/** The same shape with no edge longer than `longest` pixels; never larger than it was, and never nothing. */
export function fitWithin({ width, height }: Size, longest: number): Size {
  const scale = Math.min(1, longest / Math.max(width, height, 1));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
