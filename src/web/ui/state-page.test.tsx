import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Spoken } from './state-page.tsx';

test('a region is mounted before its text, because screen readers speak changes only', () => {
  const html = renderToStaticMarkup(<Spoken>Payment received</Spoken>);
  expect(html).toContain('role="status"');
  expect(html).not.toContain('Payment received');
});
