import { defineConfig } from '@playwright/test';
import stories from '../../e2e/playwright.config.ts';

/** The whole of what `npm test` goes once: `npm run proof:ways`. */
export default defineConfig({ ...stories, testDir: '.', outputDir: '../../../test-results' });
