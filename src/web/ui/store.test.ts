import { expect, test } from 'vitest';
import { createListeners, createStore } from './store.ts';

test('a subscriber receives each new value, and none after it has unsubscribed', () => {
  const store = createStore(1);
  const heard: number[] = [];
  const stop = store.subscribe(() => heard.push(store.get()));
  store.set(2);
  store.set(2);
  store.set(3);
  stop();
  store.set(4);
  expect([heard, store.get()]).toEqual([[2, 3], 4]);
});

test('a listener that unsubscribes itself does not prevent other calls', () => {
  const news = createListeners<[string]>();
  const heard: string[] = [];
  const stop = news.subscribe((what) => {
    heard.push(`first ${what}`);
    stop();
  });
  news.subscribe((what) => heard.push(`second ${what}`));
  news.tell('a');
  news.tell('b');
  expect(heard).toEqual(['first a', 'second a', 'second b']);
});
