export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The same shape with no edge longer than `longest` pixels; never larger than it was, and never nothing. */
export function fitWithin({ width, height }: Size, longest: number): Size {
  const scale = Math.min(1, longest / Math.max(width, height, 1));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
