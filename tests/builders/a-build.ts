import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finishBuild, startBuild, activateBuild } from '#scripts/builds.ts';

export interface BuildOptions {
  /** additional files of the site, by path */
  readonly files?: Readonly<Record<string, string>>;
  /** the renderer's source */
  readonly renderer?: string;
}

/** The path of the entry script of a small build. */
export const scriptOf = (id: string) => `/assets/index-${id}.js`;

const rendererOf = (id: string) => `
export async function renderPage({ url, language, render, brand }) {
  return {
    status: 200, lang: language, screen: 'NEAR', head: '<title>${id}</title>', style: '', firstScript: '', script: '', modules: [],
    body: '<main>' + (render ? url : '') + '</main>', state: { ...brand, language, rendered: render },
  };
}`;

/** Writes a minimal storefront build into `folder`, with the layout of the real build script. */
export function writeBuild(folder: string, id: string, { files = {}, renderer }: BuildOptions = {}): void {
  const script = `export const build = '${id}';`;
  const site = {
    [scriptOf(id)]: script,
    '/assets/all-of-them.css': 'main{color:red}',
    '/sw.js': `// worker of ${id}`,
    '/robots.txt': 'User-agent: *',
    '/index.html': `<!doctype html><style>p{color:red}</style><script type="module" src="${scriptOf(id)}"></script>`,
    '/.vite/manifest.json': JSON.stringify({ 'index.html': { file: scriptOf(id).slice(1), isEntry: true } }),
    '/.vite/ssr-manifest.json': '{}',
    ...files,
  };
  const unfinished = startBuild(folder);
  const write = (path: string, text: string) => {
    mkdirSync(join(unfinished, path, '..'), { recursive: true });
    writeFileSync(join(unfinished, path), text);
  };
  for (const [path, text] of Object.entries(site)) write(`site${path}`, text);
  write('render/entry-server.js', renderer ?? rendererOf(id));
  finishBuild(folder, unfinished, id);
}

/** Deploys a small build: writes it and switches the server to it. */
export function deploy(folder: string, id: string, options?: BuildOptions): void {
  writeBuild(folder, id, options);
  activateBuild(folder, id);
}
