import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineAt, projectFiles, root, sourcesUnder } from '#tests/fixtures/source-tree.ts';

/** What the source code must not contain. Each test prints the places that do. */
const shipped = sourcesUnder('src').filter(({ test }) => !test);
const inLayer = (room: string) => shipped.filter((source) => source.room === room);

function places(pattern: RegExp, who = shipped, allowed: readonly string[] = []): string[] {
  return who
    .filter(({ path }) => !allowed.includes(path))
    .flatMap(({ path, bare }) =>
      [...bare.matchAll(new RegExp(pattern, 'g'))].map((match) => `${path}:${lineAt(bare, match.index)} ${match[0]}`),
    );
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}
interface Lock {
  readonly packages: Readonly<Record<string, { readonly integrity?: string; readonly link?: boolean }>>;
}

const json = <Shape>(path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Shape;
const { dependencies, devDependencies, allowScripts } = json<Manifest>('package.json');
const direct = { ...dependencies, ...devDependencies };

describe('input never becomes code', () => {
  it('runs no text as a program, in no layer', () => {
    const run =
      /\beval\(|\bnew Function\(|\bFunction\(|\b(?:setTimeout|setInterval)\(\s*['"`]|['"]node:vm['"]|javascript:/;
    expect(places(run)).toEqual([]);
  });

  it('starts no other program on the server', () => {
    // a copy of Node that renders logos, with a time limit and without the environment
    const allowed = ['src/server/brand/folder/draw.ts'];
    expect(places(/['"]node:(?:child_process|cluster)['"]|\bexecSync?\(|\bspawnSync?\(/, shipped, allowed)).toEqual([]);
  });

  it('passes values to the database as parameters: raw SQL consists of our constants only', () => {
    const tables = ['attempts', 'columns', 'outbox', 'webhooks'].map((file) => `db/schema/${file}`);
    const constants = [
      'billing/order-moves',
      'billing/record-outcome',
      'billing/subscriptions/renewal-rules',
      ...tables,
    ].map((file) => `src/server/${file}.ts`);
    expect(places(/\bsql\.raw\(/, [...inLayer('server'), ...inLayer('sandbox')], constants)).toEqual([]);
    expect(places(/\.(?:query|unsafe)\(\s*[`'"][^`'"]*\$\{/, inLayer('server'))).toEqual([]);
  });

  it('writes no HTML into a hydrated page', () => {
    const sinks = /\b(?:innerHTML|outerHTML|srcdoc|insertAdjacentHTML|dangerouslySetInnerHTML)\b|document\.write/;
    expect(places(sinks, [...inLayer('web'), ...inLayer('sw')])).toEqual([]);
  });

  it('builds no regular expression from input of a caller', () => {
    // phone rules that the server has checked to be harmless
    const known = ['src/web/platform/form/account-rules.ts'];
    // built from constants, their own or those of a library
    known.push('src/contract/email-address.ts', 'src/server/runtime/service-url.ts');
    known.push('src/server/runtime/phone-number.ts');
    expect(places(/\bnew RegExp\(/, shipped, known)).toEqual([]);
  });

  it('opens files in a few places, none of which takes a name from a request', () => {
    const readers = inLayer('server')
      .filter(({ imports }) => imports.some(({ specifier }) => specifier.startsWith('node:fs')))
      .map(({ path }) => path.replace('src/server/', ''));
    // pages and the manifest read files of the build, by names from the build; the description of the API has a fixed name
    const served = readers.filter((path) => !/^http\/(?:(?:pages|manifest)\/|mount-openapi\.ts$)/.test(path));
    expect(served.filter((path) => /^(http|auth|account|billing|payments|renewal|site)\//.test(path))).toEqual([]);
  });
});

describe('cryptography', () => {
  it('hashes and signs with SHA-256 only, and encrypts payer details only, with AES-256-GCM', () => {
    // Payssion only supports MD5 signatures; see the comment there for what is not trusted
    const md5 = ['src/server/payments/payssion/client.ts'];
    expect(places(/\bcreate(?:Hash|Hmac)\(\s*'(?!sha256')\w+/, shipped, md5)).toEqual([]);
    expect(places(/\bcreateHash\(\s*'\w+/).filter((place) => place.startsWith(md5[0] ?? '')).length).toBe(1);
    expect(
      places(
        /\bcreate(?:Cipher|Decipher)(?:iv)?\(|\bcrypto\.subtle\.(?:encrypt|decrypt)\b|\bpbkdf2|\bscrypt/,
        shipped,
        ['src/server/runtime/sealed.ts'],
      ),
    ).toEqual([]);
    const sealing = shipped.find(({ path }) => path === 'src/server/runtime/sealed.ts');
    expect(sealing?.code.match(/'aes-[\w-]+'/g)).toEqual(["'aes-256-gcm'"]);
  });

  it('lists the allowed algorithms wherever it reads tokens, without "none"', () => {
    const readers = shipped.filter(({ bare }) => /\bjwtVerify\(/.test(bare));
    expect(readers.length).toBeGreaterThan(2);
    for (const { path, bare } of readers) {
      expect(`${path} ${/\balgorithms\b/.test(bare)}`).toBe(`${path} true`);
      const named = [...bare.matchAll(/algorithms?\s*[=:]\s*(\[[^\]]*\]|'[^']*')/g)].map(([, list]) => list ?? '');
      const algorithms = named.join(' ').match(/[A-Z]{2}\d{3}|none/gi) ?? [];
      expect(algorithms.filter((name) => !['HS256', 'RS256', 'ES256'].includes(name))).toEqual([]);
    }
  });

  it('verifies the certificate of every connection', () => {
    // the names of options that an operator may set in SMTP_URL
    const known = ['src/server/messages/mailer.ts'];
    const unchecked = /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity|ignoreTLS/;
    expect(places(unchecked, shipped, known)).toEqual([]);
  });

  it('compares secrets in constant time', () => {
    const compared =
      /\b(?:signature|mac|digest|codeHash|answerHash|token)\s*[!=]==\s*(?!undefined|null|''|typeof)[a-z]\w*/;
    const own = inLayer('server');
    // choosing the newer of two provider tokens is not a secret comparison
    const tokenClients = ['paypal', 'mpesa'].map((provider) => `src/server/payments/${provider}/client.ts`);
    expect(places(compared, own, tokenClients)).toEqual([]);
  });
});

describe('the dependencies', () => {
  it('are locked with version and hash, every one', () => {
    const packages = Object.entries(json<Lock>('package-lock.json').packages).filter(([path]) => path !== '');
    expect(packages.length).toBeGreaterThan(100);
    const loose = packages.filter(([, one]) => !one.link && one.integrity?.startsWith('sha512-') !== true);
    expect(loose.map(([path]) => path)).toEqual([]);
  });

  it('have an exact version, never a range', () => {
    const ranges = Object.entries(direct).filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version));
    expect(ranges).toEqual([]);
  });

  it('run install scripts only if allowed', () => {
    expect(Object.entries(allowScripts).filter(([, may]) => may)).toEqual([['node', true]]);
  });

  it('include nothing that the product does not need: XML, GraphQL, sockets, WebRTC, LDAP, templates', () => {
    const names = Object.keys(direct);
    const absent =
      /xml|soap|saml|graphql|apollo|^ws$|socket\.io|webrtc|ldap|memcache|redis|handlebars|^ejs$|pug|mustache|latex|marked|markdown|serialize/;
    expect(names.filter((name) => absent.test(name))).toEqual([]);
    // the brand preview of the operator reloads its page; production does not serve it
    const found = places(/\bnew (?:WebSocket|EventSource|RTCPeerConnection|DOMParser|XSLTProcessor)\b/);
    expect(found.filter((place) => !place.startsWith('src/server/operator/preview-shop.ts'))).toEqual([]);
  });
});

describe('the repository', () => {
  it('contains no keys', () => {
    const keys =
      /-----BEGIN (?:\w+ )*PRIVATE KEY|\bAKIA[0-9A-Z]{16}\b|\b(?:sk|rk)_live_\w+|\bgh[pousr]_\w{30,}|\bxox[bp]-\w+|\bAIza[\w-]{35}\b/;
    const text = projectFiles().filter((path) => /\.(ts|tsx|mjs|json|md|html|sql|po|ya?ml)$|\/[^.]+$/.test(path));
    const found = text.filter((path) => keys.test(readFileSync(join(root, path), 'utf8')));
    expect(found.filter((path) => path !== 'tests/api/security/code-laws.test.ts')).toEqual([]);
  });
});
