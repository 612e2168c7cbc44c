import type { EarlyTaps } from '#web/platform/entry/early-taps.ts';
import { startFailedEvent } from './start-failed.ts';
import type { StartFailure, StartRepair } from '#contract/start-report.ts';

/*
 * [Note: Start guard] Keeps a page usable whose scripts never run. These functions are written into every page as text,
 * before any module, so they use nothing outside this file and only syntax that every engine parses. A failed start is
 * repaired at most three times for each page (the router clears the count once, when it first runs), each time by a
 * reload: first with the scripts fetched past the HTTP cache, then without the service worker and its caches, at once
 * where the scripts cannot be fetched through the worker. After that, or offline, the page stays as the server rendered
 * it: links and forms with `data-plain` work, other controls focus the notice. `data-start` on `<html>` is the progress
 * of the start, which ends with hydration.
 */

function isHydrated(): boolean {
  return 'hydrated' in document.documentElement.dataset;
}

function hasStarted(): boolean {
  return document.documentElement.dataset.start === 'unsupported' || isHydrated();
}

function hasRun(): boolean {
  return document.documentElement.dataset.start === 'running';
}

/** Whether the server sent no content, or only the message that it is late. */
function isDrawnByBrowser(): boolean {
  const root = document.getElementById('root');
  return !root || !root.firstElementChild || !!root.querySelector('.late');
}

function reportFailure(reason: StartFailure, repair: StartRepair): void {
  const body = JSON.stringify({ reason: reason, repair: repair });
  // a report that cannot be sent must not stop the repair
  if (navigator.sendBeacon) navigator.sendBeacon('/start-reports', body);
}

function scriptAddresses(): string[] {
  const found = document.querySelectorAll<HTMLScriptElement & HTMLLinkElement>(
    'script[type="module"][src],link[rel="modulepreload"]',
  );
  return Array.prototype.map.call(
    found,
    (element: HTMLScriptElement & HTMLLinkElement) => element.src || element.href,
  ) as string[]; // as: Array.prototype.map on a NodeList loses the type
}

/** Rejects after 30 s, because a service worker may never answer. */
function fetchScripts(): Promise<unknown> {
  const late = new Promise((_resolve, reject) => setTimeout(reject, 30000));
  const scripts = Promise.all(
    scriptAddresses().map((address) =>
      fetch(address, { cache: 'reload' }).then((response) => {
        if (!response.ok || !/javascript/.test(response.headers.get('content-type') || '')) throw new Error(address);
        return response.arrayBuffer();
      }),
    ),
  );
  return Promise.race([late, scripts]);
}

/** Resolves to whether there was a worker or a cache, after 1 s at most: storage may throw, reject or never settle. */
function removeWorker(): Promise<boolean> {
  let found = false;
  const checkAny = <Item>(all: readonly Item[]) => {
    // the minifier would turn `||` with an assignment into `||=`, which Chrome 83 does not parse
    if (all.length > 0) found = true;
    return all;
  };
  const late = new Promise((resolve) => setTimeout(resolve, 1000));
  const ignore = () => undefined;
  const workers = Promise.resolve()
    .then(() => ('serviceWorker' in navigator ? navigator.serviceWorker.getRegistrations() : []))
    .then((all) => Promise.all(checkAny(all).map((one) => one.unregister())))
    .catch(ignore);
  const copies = Promise.resolve()
    .then(() => ('caches' in window ? caches.keys() : []))
    .then((names) => Promise.all(checkAny(names).map((name) => caches.delete(name))))
    .catch(ignore);
  // `reportsDatabase`; deleted as soon as the worker has ended, which nothing waits for
  const reports = workers.then(() => void indexedDB.deleteDatabase('workbox-background-sync')).catch(ignore);
  return Promise.race([late, Promise.all([workers, copies, reports])]).then(() => found);
}

/** In the history entry, which survives a reload and needs no storage. */
function savedState(): { startRepairs?: number; startTyped?: Record<string, string> } {
  // as: only this guard writes these two, and the router leaves them out
  return (history.state || {}) as { startRepairs?: number; startTyped?: Record<string, string> };
}

/** Fields whose text is restored after a repair; passwords and card data are left out. */
function typedFields(): HTMLInputElement[] {
  const found = document.querySelectorAll<HTMLInputElement>('#root input[name]');
  return Array.prototype.filter.call(
    found,
    ({ type, autocomplete }: HTMLInputElement) => /^(text|email|tel)$/.test(type) && !/cc-|password/.test(autocomplete),
  ) as HTMLInputElement[]; // as: Array.prototype.filter loses the type
}

function restoreTyped(): void {
  const typed = savedState().startTyped || {};
  typedFields().forEach((field) => {
    field.value = field.value || typed[field.name] || '';
  });
}

function stayPlain(): void {
  const notice = document.querySelector<HTMLElement>('.not-started');
  const { earlyTaps } = window as Window & { earlyTaps?: Pick<EarlyTaps, 'stop'> }; // as: early-taps.ts sets it
  if (earlyTaps) earlyTaps.stop();
  const redirect = (event: Event) => {
    // the page was only slow
    if (isHydrated()) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (
      event.type === 'click'
        ? !target.closest('button') || target.closest('[data-plain]')
        : target.closest('[data-plain]')
    )
      return;
    event.preventDefault();
    if (notice) notice.focus();
  };
  addEventListener('click', redirect, true);
  addEventListener('submit', redirect, true);
  addEventListener('online', () => {
    if (!isHydrated()) location.reload();
  });
}

function repairStart(reason: StartFailure): void {
  document.documentElement.dataset.start = 'failed';
  const done = savedState().startRepairs || 0;
  const showPlainPage = () => {
    if (isHydrated()) return;
    reportFailure(reason, 'plain page');
    stayPlain();
  };
  // offline, a reload may show the browser's error page and a removed worker cannot be installed again; `stayPlain`
  // reloads once online
  if (done > 1 || !window.fetch || !navigator.onLine) return showPlainPage();
  const reload = (repair: StartRepair, repairs: number) => {
    if (isHydrated()) return;
    const typed: Record<string, string> = {};
    typedFields().forEach((field) => (typed[field.name] = field.value));
    history.replaceState(Object.assign({}, history.state, { startRepairs: repairs, startTyped: typed }), '');
    reportFailure(reason, repair);
    location.reload();
  };
  const fetchThenReload = () => fetchScripts().then(() => reload('scripts fetched again', done + 1));
  // a removed worker still serves this page's requests until the reload
  const removeThen = (otherwise: () => unknown) => {
    if (isHydrated()) return Promise.resolve();
    return removeWorker().then((found) => (found ? reload('worker removed', 2) : otherwise()));
  };
  (done === 0 ? fetchThenReload().catch(() => removeThen(showPlainPage)) : removeThen(fetchThenReload)).catch(
    showPlainPage,
  );
}

interface Limits {
  readonly stallMs: number;
  readonly totalMs: number;
  readonly answerMs: number;
}

/**
 * Calls `onTimeout` when no script arrives for `stallMs`, or after `totalMs` in all. Both start again once the
 * scripts run, and then count until hydration. A page that the browser renders may then wait `answerMs` for the API.
 * Time during which the page is hidden or the device sleeps does not count.
 */
function watchStart(limits: Limits, hasEnded: () => boolean, onTimeout: () => void): void {
  let seen = 0;
  let ran = false;
  let still = 0;
  let total = 0;
  let checkedAt = Date.now();
  const check = () => {
    if (hasEnded()) return;
    const passed = document.hidden ? 0 : Math.min(Date.now() - checkedAt, 1000);
    const arrived = performance.getEntriesByType('resource').length;
    const runs = hasRun();
    checkedAt = Date.now();
    still = arrived > seen || runs !== ran ? 0 : still + passed;
    total = runs === ran ? total + passed : 0;
    seen = arrived;
    ran = runs;
    const isLate =
      runs && isDrawnByBrowser() ? still >= limits.answerMs : still >= limits.stallMs || total >= limits.totalMs;
    if (isLate) onTimeout();
    else setTimeout(check, 500);
  };
  check();
}

function guardStart(failedEvent: string, limits: Limits): void {
  let ended = false;
  const hasEnded = () => ended || hasStarted();
  const fail = (reason: StartFailure) => {
    if (hasEnded() || (hasRun() && reason !== 'timeout')) return;
    ended = true;
    repairStart(reason);
  };
  addEventListener('pagehide', () => (ended = true));
  addEventListener(failedEvent, () => {
    delete document.documentElement.dataset.start;
    fail('error');
  });
  addEventListener('securitypolicyviolation', (event) => {
    if (event.effectiveDirective.indexOf('script-src') === 0 && event.blockedURI.indexOf(location.origin) === 0)
      fail('policy');
  });
  addEventListener(
    'error',
    (event) => {
      const { target } = event;
      if (target instanceof HTMLScriptElement && target.type === 'module') fail('load');
      else if (event instanceof ErrorEvent && event.filename.indexOf(`${location.origin}/assets/`) === 0) fail('error');
    },
    true,
  );
  restoreTyped();
  watchStart(limits, hasEnded, () => fail('timeout'));
}

const parts = [
  isHydrated,
  hasStarted,
  hasRun,
  isDrawnByBrowser,
  reportFailure,
  scriptAddresses,
  fetchScripts,
  removeWorker,
  savedState,
  typedFields,
  restoreTyped,
  stayPlain,
  repairStart,
  watchStart,
];

/** An API call ends after 60 s (contract/limits.ts). */
const limits: Limits = { stallMs: 8000, totalMs: 24_000, answerMs: 70_000 };

/** The guard as the text of a classic script. */
export const startGuard = (): string => `(function(){${[...parts, guardStart].map(String).join('\n')}
guardStart(${JSON.stringify(startFailedEvent)},${JSON.stringify(limits)})})()`;
