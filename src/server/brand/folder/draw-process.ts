import { Resvg } from '@resvg/resvg-js';
import * as v from 'valibot';

/**
 * The child process of `draw.ts`: draws each SVG that it receives and returns pixels and PNG. It has no access to the
 * shop: its environment is empty, and it receives only drawings.
 */
const drawingSchema = v.object({ svg: v.string(), width: v.number() });

process.on('message', (message) => {
  const { svg, width } = v.parse(drawingSchema, message);
  process.send?.(draw(svg, width));
});

function draw(svg: string, width: number) {
  try {
    const image = new Resvg(svg, { fitTo: { mode: 'width', value: width }, font: { loadSystemFonts: false } }).render();
    const { pixels, height } = image;
    return { pixels: new Uint8Array(pixels), width: image.width, height, png: new Uint8Array(image.asPng()) };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}
