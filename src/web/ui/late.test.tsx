import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { late, lazyPartsReady } from './late.tsx';

test('a page that the server writes has its late parts, also when it is the first one that has them', async () => {
  const Late = late(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return () => <p>There</p>;
  });
  await lazyPartsReady();
  expect(renderToString(<Late />)).toContain('<p>There</p>');
});

test('a part that cannot come does not hold up the pages of the server', async () => {
  const Late = late(() => Promise.reject(new Error('gone')));
  await lazyPartsReady();
  expect(renderToString(<Late />)).not.toContain('<!--$!-->');
});
