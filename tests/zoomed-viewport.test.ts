import { expect, test } from 'vitest';
import { divideByZoom } from '../.scripts/floor.ts';

test('viewport lengths are the same at every zoom of a page', () => {
  expect(divideByZoom('.a { padding: 5vh var(--x-5vw) .5vw; inline-size: min(480px, 100vw - 32px); }')).toBe(
    '.a { padding: calc(5vh / var(--zoom, 1)) var(--x-5vw) calc(.5vw / var(--zoom, 1)); inline-size: min(480px, calc(100vw / var(--zoom, 1)) - 32px); }',
  );
});

test('media queries, comments, and lengths that old engines skip remain unchanged', () => {
  const css =
    '/* 5vh */ @media (min-height: 50vh) and (width > 10vw) { .v5vh { block-size: 100dvh; color: #e5e5e5; } }';
  expect(divideByZoom(css)).toBe(css);
});
