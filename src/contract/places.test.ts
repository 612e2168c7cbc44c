import { expect, test } from 'vitest';
import { brazilianState, isStateName } from './places.ts';

test('a state of Brazil is recognized by code and name, in any spelling', () => {
  for (const text of ['SP', 'sp ', 'São Paulo', 'sao paulo', 'SÃO PAULO']) expect(brazilianState(text)).toBe('SP');
  for (const text of ['', 'XX', 'Paulo', '12', 'Rio']) expect(brazilianState(text)).toBeUndefined();
});

test('a state of another country has letters and no markup', () => {
  for (const state of ['New South Wales', 'Île-de-France', 'Región 5']) expect(isStateName(state), state).toBe(true);
  for (const state of ['12', '<b>', '???', 'a@b']) expect(isStateName(state), state).toBe(false);
});
