import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineAt, projectFiles, root, sourcesUnder } from '#tests/fixtures/source-tree.ts';

/** What the code must not do, whatever it is given. Each test prints the places that do it. */
const shipped = sourcesUnder('src').filter(({ test }) => !test);
const inRoom = (room: string) => shipped.filter((source) => source.room === room);

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
  it('runs no text as a program, in no room', () => {
    const run =
      /\beval\(|\bnew Function\(|\bFunction\(|\b(?:setTimeout|setInterval)\(\s*['"`]|['"]node:vm['"]|javascript:/;
    expect(places(run)).toEqual([]);
  });

  it('starts no other program on the server', () => {
    // a copy of Node that draws, with a time limit and without the environment
    const allowed = ['src/server/brand/folder/draw.ts'];
    expect(places(/['"]node:(?:child_process|cluster)['"]|\bexecSync?\(|\bspawnSync?\(/, shipped, allowed)).toEqual([]);
  });

  it('asks the database by parameters: text goes into a statement raw only where it is a constant of ours', () => {
    const tables = ['attempts', 'columns', 'outbox'].map((file) => `db/schema/${file}`);
    const constants = ['billing/order-moves', 'billing/record-outcome', 'billing/subscriptions/moves', ...tables].map(
      (file) => `src/server/${file}.ts`,
    );
    expect(places(/\bsql\.raw\(/, [...inRoom('server'), ...inRoom('sandbox')], constants)).toEqual([]);
    expect(places(/\.(?:query|unsafe)\(\s*[`'"][^`'"]*\$\{/, inRoom('server'))).toEqual([]);
  });

  it('writes no HTML into a living page', () => {
    const sinks = /\b(?:innerHTML|outerHTML|srcdoc|insertAdjacentHTML|dangerouslySetInnerHTML)\b|document\.write/;
    expect(places(sinks, [...inRoom('web'), ...inRoom('sw')])).toEqual([]);
  });

  it('builds no regular expression from what a stranger says', () => {
    // the phone's from what the server has proved to be harmless
    const known = ['src/web/platform/form/account-rules.ts'];
    // of constants of their own, or of a library
    known.push('src/contract/email-address.ts', 'src/server/runtime/service-url.ts');
    known.push('src/server/runtime/phone-readings.ts');
    expect(places(/\bnew RegExp\(/, shipped, known)).toEqual([]);
  });

  it('opens files in few places, none of which takes a name from a request', () => {
    const readers = inRoom('server')
      .filter(({ imports }) => imports.some(({ specifier }) => specifier.startsWith('node:fs')))
      .map(({ path }) => path.replace('src/server/', ''));
    // the pages and the manifest read what the build left, by the names that it left
    const served = readers.filter((path) => !/^http\/(pages|manifest)\//.test(path));
    expect(
      served.filter((path) => /^(http|auth|account|billing|cards|email|site|sign-on|captcha)\//.test(path)),
    ).toEqual([]);
  });
});

describe('cryptography', () => {
  it('hashes and signs by SHA-256 alone, and encrypts nothing but who pays, by AES-256-GCM', () => {
    // Payssion signs by MD5 and knows no other way: nothing is believed for it (its own comment says what is)
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

  it('names the algorithms of tokens where it reads them, none among them', () => {
    const readers = shipped.filter(({ bare }) => /\bjwtVerify\(/.test(bare));
    expect(readers.length).toBeGreaterThan(2);
    for (const { path, bare } of readers) {
      expect(`${path} ${/\balgorithms\b/.test(bare)}`).toBe(`${path} true`);
      const named = [...bare.matchAll(/algorithms?\s*[=:]\s*(\[[^\]]*\]|'[^']*')/g)].map(([, list]) => list ?? '');
      const algorithms = named.join(' ').match(/[A-Z]{2}\d{3}|none/gi) ?? [];
      expect(algorithms.filter((name) => !['HS256', 'RS256', 'ES256'].includes(name))).toEqual([]);
    }
  });

  it('talks to nobody whose certificate it has not checked', () => {
    // the names of options that an operator may write into SMTP_URL
    const known = ['src/server/messages/mailer.ts'];
    const unchecked = /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity|ignoreTLS/;
    expect(places(unchecked, shipped, known)).toEqual([]);
  });

  it('compares secrets in constant time', () => {
    const compared =
      /\b(?:signature|mac|digest|codeHash|answerHash|token)\s*[!=]==\s*(?!undefined|null|''|typeof)[a-z]\w*/;
    const own = inRoom('server');
    // which of two tokens of a provider's is kept is no secret to compare
    const keepers = ['paypal', 'mpesa'].map((provider) => `src/server/payments/${provider}/client.ts`);
    expect(places(compared, own, keepers)).toEqual([]);
  });
});

describe('what is installed', () => {
  it('is listed with version and hash, every package of it', () => {
    const packages = Object.entries(json<Lock>('package-lock.json').packages).filter(([path]) => path !== '');
    expect(packages.length).toBeGreaterThan(100);
    const loose = packages.filter(([, one]) => !one.link && one.integrity?.startsWith('sha512-') !== true);
    expect(loose.map(([path]) => path)).toEqual([]);
  });

  it('is named by one version, never by a range', () => {
    const ranges = Object.entries(direct).filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version));
    expect(ranges).toEqual([]);
  });

  it('runs scripts while it is installed only where it was said that it may', () => {
    expect(Object.entries(allowScripts).filter(([, may]) => may)).toEqual([['node', true]]);
  });

  it('has nothing for what the shop does not do: XML, GraphQL, sockets, calls between browsers, LDAP, templates', () => {
    const names = Object.keys(direct);
    const absent =
      /xml|soap|saml|graphql|apollo|^ws$|socket\.io|webrtc|ldap|memcache|redis|handlebars|^ejs$|pug|mustache|latex|marked|markdown|serialize/;
    expect(names.filter((name) => absent.test(name))).toEqual([]);
    // the preview of a brand reloads the page that its operator looks at; no shop serves it
    const found = places(/\bnew (?:WebSocket|EventSource|RTCPeerConnection|DOMParser|XSLTProcessor)\b/);
    expect(found.filter((place) => !place.startsWith('src/server/operator/preview-shop.ts'))).toEqual([]);
  });
});

describe('what is kept with the source', () => {
  it('holds no key of anybody', () => {
    const keys =
      /-----BEGIN (?:\w+ )*PRIVATE KEY|\bAKIA[0-9A-Z]{16}\b|\b(?:sk|rk)_live_\w+|\bgh[pousr]_\w{30,}|\bxox[bp]-\w+|\bAIza[\w-]{35}\b/;
    const text = projectFiles().filter((path) => /\.(ts|tsx|mjs|json|md|html|sql|po|ya?ml)$|\/[^.]+$/.test(path));
    const found = text.filter((path) => keys.test(readFileSync(join(root, path), 'utf8')));
    expect(found.filter((path) => path !== 'tests/api/security/code-laws.test.ts')).toEqual([]);
  });
});
