import { expect, test } from 'vitest';
import { demoBrand } from '#sandbox/demo-brands.ts';
import { siteConfigOf } from '#server/site/handlers.ts';
import { appOf } from './default-rules.ts';

const { config } = demoBrand('lumen').brand;
const { app, ...withoutApp } = config;

test('reads the app of a brand that was stored by an earlier version', () => {
  expect(appOf({ ...withoutApp, appLink: 'acme://open' })).toEqual({ link: 'acme://open' });
  expect(appOf(config)).toEqual(app);
});

test('has no app if the brand has none, or one that is not safe', () => {
  expect(appOf(withoutApp)).toBeUndefined();
  expect(appOf({ ...withoutApp, app: { link: 'javascript://alert(1)' } })).toBeUndefined();
  expect(
    appOf({ ...withoutApp, app: { link: 'acme://open', stores: { ios: 'http://acme.example' } } }),
  ).toBeUndefined();
});

test('sends browsers no app that is not safe', () => {
  const brand = { config: { ...withoutApp, app: { link: 'javascript://alert(1)' } } };
  // as: the configuration is made from these columns only
  expect(siteConfigOf(brand as Parameters<typeof siteConfigOf>[0])).not.toHaveProperty('app');
});
