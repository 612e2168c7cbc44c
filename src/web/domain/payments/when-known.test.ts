import { expect, test } from 'vitest';
import { noteKeptCopies } from '../../platform/storage/kept-copy.ts';
import { knownEmpty } from './when-known.tsx';

test('a list is empty only when the shop has said so in this visit', () => {
  const before = Date.now() - 1;
  noteKeptCopies();
  const after = Date.now() + 1;
  expect(knownEmpty({ error: null, readAt: after })).toBe('empty');
  expect(knownEmpty({ error: null, readAt: before })).toBe('asking');
  expect(knownEmpty({ error: new Error('offline'), readAt: before })).toBe('failed');
  expect(knownEmpty({ error: new Error('offline'), readAt: after })).toBe('failed');
});
