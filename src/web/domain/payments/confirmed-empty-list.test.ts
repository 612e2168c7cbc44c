import { expect, test } from 'vitest';
import { markSavedCopies } from '#web/platform/session/storage/personal-copies.ts';
import { emptyListState } from './access-text.tsx';

test('treats a list as empty only after a response of this visit', () => {
  const before = Date.now() - 1;
  markSavedCopies();
  const after = Date.now() + 1;
  expect(emptyListState({ error: null, readAt: after })).toBe('empty');
  expect(emptyListState({ error: null, readAt: before })).toBe('asking');
  expect(emptyListState({ error: new Error('offline'), readAt: before })).toBe('failed');
  expect(emptyListState({ error: new Error('offline'), readAt: after })).toBe('failed');
});
