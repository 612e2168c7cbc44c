// Writes a compressed copy beside every text file of the built site, which the server sends. A Vite plugin would run
// before the service worker and its precache list are written.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const text = /\.(js|css|svg|html|txt|json)$/;
/** In bytes. Smaller files gain nothing; above it a third, and a page loads several such files. */
const smallest = 300;

export async function compressSite(folder) {
  const files = readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => text.test(path) && statSync(path).size >= smallest);
  await Promise.all(
    files.map(async (path) => {
      const plain = readFileSync(path);
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
      writeFileSync(`${path}.br`, await promisify(brotliCompress)(plain, { params }));
      writeFileSync(`${path}.gz`, await promisify(gzip)(plain, { level: 9 }));
    }),
  );
}
