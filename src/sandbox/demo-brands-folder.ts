import { fileURLToPath } from 'node:url';

/** The folders of the demo brands, and the documents that they share. */
export const demoBrandsFolder = fileURLToPath(new URL('./brands', import.meta.url));
