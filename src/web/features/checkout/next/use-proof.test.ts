import { setupI18n } from '@lingui/core';
import { describe, expect, it } from 'vitest';
import { ApiError } from '#web/platform/api/api-error.ts';
import { refusedError } from '#web/platform/api/refused-error.ts';
import { proofErrorMessage } from './proof-form.tsx';

const i18n = setupI18n({ locale: 'en', messages: { en: { 'errCode.-24040': 'busy' } } });
const said = (error: ApiError) => proofErrorMessage(error)(i18n);

describe('a proof of payment that is too large', () => {
  it("names the shop's limit if the shop refuses it", () => {
    expect(said(refusedError('uploadObject', { code: 5000, status: 413 }))).toContain('up to 4 MB');
  });

  it('names no limit if a proxy refuses it', () => {
    const words = said(new ApiError('http', 'uploadObject', { status: 413 }));
    expect(words).toContain('Choose a smaller one');
    expect(words).not.toMatch(/\d/);
  });
});

it('reports that the shop is busy while another file of the customer is being sent', () => {
  const words = said(refusedError('uploadObject', { code: -24040, status: 429, params: { waitSeconds: 3 } }));
  expect(words).toBe('busy');
});
