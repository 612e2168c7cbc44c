import { aBrandFolder } from '#tests/builders/a-brand-folder.ts';
import { startServer, type ServerProcess } from '#tests/fixtures/server-process.ts';

/** The images of a brand: the login background for a desktop and for a phone, and its mark. */
const sky = (width: number, height: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><path fill="#0b3b36" d="M0 0h${width}v${height}H0z"/>` +
  `<path fill="#12786b" d="M0 ${height * 0.6}q${width / 4}-${height / 6} ${width / 2} 0t${width / 2} 0V${height}H0z"/>` +
  `<path fill="#f2b134" d="M${width * 0.7} ${height * 0.2}a60 60 0 1 0 .1 0z"/></svg>`;
const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#0a7f68" d="M0 0h9v9H0z"/><path fill="#fff" d="M4.500 1.500l3 6h-6z"/></svg>';

/** A shop with one brand that is not a demo brand, with all the images that a brand can have. */
export async function startOwnBrand(): Promise<ServerProcess> {
  const secret = 'a secret of the pictures that is long enough';
  const brandFolder = await aBrandFolder(
    { SIGNING_SECRET: secret },
    '--host',
    'acme.localhost',
    '--languages',
    'pt,en',
    '--currency',
    'BRL',
    '--price',
    '29.90',
  );
  await brandFolder.put('pictures/avatar.svg', mark);
  await brandFolder.put('pictures/background.svg', sky(1600, 900));
  await brandFolder.put('pictures/mobile-background.svg', sky(600, 1200));
  const { code, told } = await brandFolder.run('brand', 'apply', brandFolder.folder, '--yes', '--why', 'pictures');
  if (code !== 0) throw new Error(told);
  const server = await startServer({
    env: { DATA_DIR: brandFolder.data, DEFAULT_BRAND: 'acme', SIGNING_SECRET: secret },
  });
  const dispose = async () => {
    await server.dispose();
    await brandFolder.remove();
  };
  return { ...server, dispose, origin: server.brandOrigin('acme') };
}
