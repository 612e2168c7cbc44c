import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { lazyPart, lazyPartsReady } from './lazy-part.tsx';

test('a page that the server renders includes its late parts, also on their first use', async () => {
  const Late = lazyPart(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return () => <p>There</p>;
  });
  await lazyPartsReady();
  expect(renderToString(<Late />)).toContain('<p>There</p>');
});

test('a part that fails to load does not block the server’s pages', async () => {
  const Late = lazyPart(() => Promise.reject(new Error('gone')));
  await lazyPartsReady();
  expect(renderToString(<Late />)).not.toContain('<!--$!-->');
});
