import type { ReactNode } from 'react';

interface PictureProps {
  /** transform for a drawing that was made on another grid */
  at?: string;
  children: ReactNode;
}

/**
 * The frame of every picture of the home page: 3 to 2, tinted, with one light behind the drawing. Large areas use
 * `--art` (platform/brand/tokens.ts), never the brand's own colour, which may be black, white or glaring.
 */
export function Picture({ at, children }: PictureProps) {
  return (
    <svg
      data-picture
      viewBox="0 0 480 320"
      aria-hidden
      fill="none"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <circle cx="240" cy="160" r="196" fill="var(--art)" fillOpacity=".08" />
      <circle cx="240" cy="160" r="124" fill="var(--art)" fillOpacity=".08" />
      <g transform={at}>{children}</g>
    </svg>
  );
}
