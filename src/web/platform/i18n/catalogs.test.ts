import { expect, test } from 'vitest';
import { loadMessages, loadCatalog, subscribeToMessages } from './catalogs.ts';

test('a language includes the messages of a part that was first used while it was loading', async () => {
  subscribeToMessages(
    () => 'en',
    () => undefined,
  );
  let release = () => {};
  const loading = loadCatalog('ru', new Promise<void>((resolve) => (release = resolve)));
  await loadMessages('private');
  release();
  const words = await loading;
  const whole = await loadCatalog('ru');
  expect(Object.keys(words)).toEqual(Object.keys(whole));
});
