interface Modules {
  /** of the image with its quiet zone, in modules */
  readonly width: number;
  readonly height: number;
  /** path of the dark modules */
  readonly path: string;
  /** whether the image may stretch, as bars can; otherwise it keeps its proportions */
  readonly stretches?: boolean;
}

/**
 * A code for scanners as the URL of an image. An image, because contrast themes and dark-mode extensions change the
 * colours of inline SVG and of backgrounds but not of images; it can also be saved and printed.
 */
export function scannableImage({ width, height, path, stretches = false }: Modules): string {
  const ratio = stretches ? ' preserveAspectRatio="none"' : '';
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"${ratio} ` +
    `shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${width}v${height}H0z"/><path d="${path}"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
