import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDatabaseUrl } from '#server/db/database-url.ts';
import { readSmtpUrl } from '#server/messages/mailer.ts';
import { readServiceUrl, writeServiceUrl } from './service-url.ts';

/** Base64 and what password generators use; `%` starts an encoded character, so only it must be encoded. */
const password = fc
  .string({
    unit: fc.constantFrom(...'abzAZ019+/=#@?[]:&!$^*(){}<>|;,.~`"\'\\-_ é'.split('')),
    minLength: 1,
    maxLength: 30,
  })
  .filter((text) => text.trim() === text);
const place = fc.constantFrom(
  'db.example/shop',
  'db.example:5432/shop',
  '127.0.0.1:5432/shop?sslmode=require',
  '[::1]:5432/shop',
  'a.example,b.example:5433/shop?target_session_attrs=read-write',
);

describe('readServiceUrl', () => {
  it('accepts any password as it is typed', () => {
    fc.assert(
      fc.property(password, place, (secret, rest) => {
        const read = readServiceUrl(`postgres://shop:${secret}@${rest}`, (name) =>
          /^(sslmode|target_session_attrs)$/.test(name),
        );
        expect(read).toMatchObject({ user: 'shop', password: secret, path: 'shop' });
      }),
      { numRuns: 2000 },
    );
  });

  it('accepts the same password percent-encoded, as other programs require it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (secret) => {
        const read = readServiceUrl(`postgres://shop:${encodeURIComponent(secret)}@db.example/shop`, () => true);
        expect(read?.password).toBe(secret);
      }),
    );
  });

  it('writes an address that the standard parser reads the same way', () => {
    fc.assert(
      fc.property(password, (secret) => {
        const read = readServiceUrl(`smtp://me@example.com:${secret}@mail.example:587`, () => false);
        const written = new URL(read ? writeServiceUrl(read, { host: 'mail.example', port: '587' }) : '');
        expect(decodeURIComponent(written.username)).toBe('me@example.com');
        expect(decodeURIComponent(written.password)).toBe(secret);
        expect(written.host).toBe('mail.example:587');
      }),
    );
  });
});

describe('readDatabaseUrl', () => {
  const targets = (text: string) => {
    const address = readDatabaseUrl(text);
    return typeof address === 'string' ? address : address.targets.map(({ name }) => name);
  };

  it.each([
    ['postgres://a,b/db?target_session_attrs=read-write', ['a:5432', 'b:5432']],
    ['postgresql://u:p@a:1,[::1]:2,c/db', ['a:1', '[::1]:2', 'c:5432']],
    ['postgres://u:p@/db?host=a,b&port=1,2', ['a:1', 'b:2']],
    ['postgres:///db?host=/var/run/postgresql', ['/var/run/postgresql:5432']],
    ['postgres://host/db?user=me@example.com', ['host:5432']],
    ['  postgres://u:p@host/db\n', ['host:5432']],
  ])('reads the servers of %s', (text, names) => {
    expect(targets(text)).toEqual(names);
  });

  it.each([
    'postgres:/a',
    'postgres://a/db?target_session_attrs=standby',
    'postgres://a/db?target_session_attrs=writable',
    'postgres://a:99999/db',
    'postgres://a/db#fragment',
    'mysql://a/db',
  ])('says in one sentence what is wrong with %s', (text) => {
    expect(targets(text)).toEqual(expect.stringMatching(/^(must|has) [^\n]+$/));
  });
});

describe('readSmtpUrl', () => {
  it.each(['smtp://', 'smtp://user:pw@', 'smtp://a,b', 'smtp://a:99999', 'http://a', 'smtp://a b:25'])(
    'refuses %s with a sentence',
    (text) => {
      expect(readSmtpUrl(text)).toEqual(expect.stringMatching(/^(must|has) [^\n]+$/));
    },
  );
});

describe('an address as operators write it', () => {
  it('is case-insensitive in its scheme', () => {
    for (const scheme of ['POSTGRES', 'PostgreSQL', 'postgres']) {
      const read = readDatabaseUrl(`${scheme}://shop:PaSS@db.example/Shop`);
      expect(read).toMatchObject({ user: 'shop', database: 'Shop' });
      const [target] = typeof read === 'string' ? [] : read.targets;
      expect(target?.url).toBe(`${scheme.toLowerCase()}://shop:PaSS@db.example/Shop`);
    }
    expect(readSmtpUrl('SMTP://me:PaSS@mail.example:587')).toMatchObject({ url: 'smtp://me:PaSS@mail.example:587' });
    expect(readSmtpUrl('SMTPS://mail.example:465')).toMatchObject({ host: 'mail.example' });
  });

  it.each([
    ['postgres://shop:secret@db.example/shop?sslmod=require', 'sslmod'],
    ['postgres://shop:secret@db.example/shop?sslmode=require&SSLMODE=require', 'SSLMODE'],
    ['POSTGRESQL://db.example/shop?pool_timeout=5', 'pool_timeout'],
    ['postgres://shop:se?cret=1&a#b@db.example/shop?connect-timeout=5', 'connect-timeout'],
  ])('is refused with the name of an unknown parameter: %s', (text, name) => {
    expect(readDatabaseUrl(text)).toBe(`has the parameter ${name}, which PostgreSQL does not know`);
  });

  it('is refused for the scheme of another service', () => {
    expect(readDatabaseUrl('mysql://db.example/shop?charset=utf8')).toMatch(/^must be postgres:/);
    expect(readSmtpUrl('http://mail.example?charset=utf8')).toMatch(/^must be smtp:/);
  });

  it('of a mail server is refused with the unknown parameter’s name, too', () => {
    expect(readSmtpUrl('smtp://me:secret@mail.example?tls=1')).toBe(
      'has the parameter tls, which nodemailer does not know',
    );
  });

  it('is never repeated with a part of its password', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('?', '&', '=', '?token=', '?a=b&'),
        fc.stringMatching(/^[a-z]{12}$/),
        (cut, secret) => {
          for (const rest of ['db.example:x/shop', 'db.example/shop?sslmod=1', 'db.example/a/b?c=d']) {
            const refusal = readDatabaseUrl(`postgres://shop:${cut}${secret}@${rest}`);
            if (typeof refusal === 'string') expect(refusal).not.toContain(secret);
          }
        },
      ),
    );
  });
});
