import { defineConfig } from '@playwright/test';
import stories from '#tests/e2e/playwright.config.ts';

const { projects: _, ...shared } = stories;

/** The whole of what `npm test` goes once: `npm run verify:ways`. */
export default defineConfig({ ...shared, testDir: '.', outputDir: '../../../test-results' });
