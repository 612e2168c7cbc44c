/// <reference lib="dom" />
import { createBrowserHistory } from '@tanstack/react-router';
import { get } from 'idb-keyval';
import { hydrateRoot } from 'react-dom/client';
import * as v from 'valibot';
import { Workbox } from 'workbox-window';
import { floorApp, stateSchema } from './page.ts';

async function start(): Promise<void> {
  const text = document.getElementById('page-state')?.textContent ?? '';
  const { router, element } = floorApp(v.parse(stateSchema, JSON.parse(text)), createBrowserHistory());
  await router.load();
  const root = document.getElementById('root');
  if (root) hydrateRoot(root, element);
  requestIdleCallback(() => {
    void get('session');
    void new Workbox('/sw.js').register();
  });
}

void start();
