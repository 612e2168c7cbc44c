import { fileURLToPath } from 'node:url';

/** A folder for each of the demonstration's brands, and the documents that they share. */
export const demoBrandsFolder = fileURLToPath(new URL('./brands', import.meta.url));
