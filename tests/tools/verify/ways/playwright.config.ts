import { defineConfig } from '@playwright/test';
import e2eConfig from '#tests/e2e/playwright.config.ts';

const { projects: _, ...shared } = e2eConfig;

/** `npm run verify:ways`: every combination of payment method, language and screen; `npm test` runs a part of them. */
export default defineConfig({ ...shared, testDir: '.', outputDir: '../../../test-results' });
