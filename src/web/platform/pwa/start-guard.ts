import type { EarlyTaps } from '../entry/early-taps.ts';
import { startFailedEvent } from './start-failed.ts';
import type { StartFailure, StartRepair } from '../../../contract/start-report.ts';

/*
 * [Note: Start guard] A page is readable before its scripts run, and has to stay usable when they never do. These functions
 * are written into every page as text, before any module, so they use nothing else and only what every engine parses.
 *
 * A failed start is repaired at most twice for each page, by reloading it: first with the scripts fetched past the HTTP
 * cache, then without the service worker and its caches. After that the page stays as the server wrote it: links and the
 * forms marked `data-plain` work, other controls lead to the notice. `data-start` on `<html>` says how far a start came.
 */

function hasStarted(): boolean {
  const data = document.documentElement.dataset;
  return data.start === 'running' || data.start === 'unsupported' || 'hydrated' in data;
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
  ) as string[]; // as: NodeList.map keeps no type
}

function fetchScripts(): Promise<unknown> {
  return Promise.all(
    scriptAddresses().map((address) =>
      fetch(address, { cache: 'reload' }).then((response) => {
        if (!response.ok || !/javascript/.test(response.headers.get('content-type') || '')) throw new Error(address);
        return response.arrayBuffer();
      }),
    ),
  );
}

/** Waits for it 1 s: where sites may store nothing these calls throw or reject, and on a failing disk they never answer. */
function removeWorker(): Promise<unknown> {
  const late = new Promise((resolve) => setTimeout(resolve, 1000));
  const ignore = () => undefined;
  const workers = Promise.resolve()
    .then(() => ('serviceWorker' in navigator ? navigator.serviceWorker.getRegistrations() : []))
    .then((all) => Promise.all(all.map((one) => one.unregister())))
    .catch(ignore);
  const copies = Promise.resolve()
    .then(() => ('caches' in window ? caches.keys() : []))
    .then((names) => Promise.all(names.map((name) => caches.delete(name))))
    .catch(ignore);
  return Promise.race([late, Promise.all([workers, copies])]);
}

/** In the history entry, which a reload keeps and which needs no storage. */
function savedState(): { startRepairs?: number; startTyped?: Record<string, string> } {
  // as: only this guard writes these two, and the router leaves them out
  return (history.state || {}) as { startRepairs?: number; startTyped?: Record<string, string> };
}

/** What was typed is never a password or a card here: those fields are left out. */
function typedFields(): HTMLInputElement[] {
  const found = document.querySelectorAll<HTMLInputElement>('#root input[name]');
  return Array.prototype.filter.call(
    found,
    ({ type, autocomplete }: HTMLInputElement) => /^(text|email|tel)$/.test(type) && !/cc-|password/.test(autocomplete),
  ) as HTMLInputElement[]; // as: Array.prototype.filter keeps no type
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
  addEventListener('online', () => location.reload());
}

function repairStart(reason: StartFailure): void {
  document.documentElement.dataset.start = 'failed';
  const done = savedState().startRepairs || 0;
  const giveUp = () => {
    reportFailure(reason, 'plain page');
    stayPlain();
  };
  if (done > 1 || !window.fetch) return giveUp();
  const ready = done === 0 ? fetchScripts() : removeWorker().then(fetchScripts);
  ready.then(() => {
    if ('hydrated' in document.documentElement.dataset) return;
    const typed: Record<string, string> = {};
    typedFields().forEach((field) => (typed[field.name] = field.value));
    history.replaceState(Object.assign({}, history.state, { startRepairs: done + 1, startTyped: typed }), '');
    reportFailure(reason, done === 0 ? 'scripts fetched again' : 'worker removed');
    location.reload();
  }, giveUp);
}

/** Waits `patienceMs` for the next script to arrive, and `limitMs` in all. */
function guardStart(failedEvent: string, patienceMs: number, limitMs: number): void {
  let ended = false;
  let seen = 0;
  const begun = Date.now();
  let progressAt = begun;
  const fail = (reason: StartFailure) => {
    if (ended || hasStarted()) return;
    ended = true;
    repairStart(reason);
  };
  const look = () => {
    if (ended || hasStarted()) return;
    const arrived = performance.getEntriesByType('resource').length;
    if (arrived > seen || document.hidden) progressAt = Date.now();
    seen = arrived;
    if (Date.now() - progressAt >= patienceMs || Date.now() - begun >= limitMs) fail('timeout');
    else setTimeout(look, 500);
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
  look();
}

const parts = [
  hasStarted,
  reportFailure,
  scriptAddresses,
  fetchScripts,
  removeWorker,
  savedState,
  typedFields,
  restoreTyped,
  stayPlain,
  repairStart,
];

/** The guard as the text of a classic script. Fails a start after 8 s without progress, 24 s in all. */
export const startGuard = (): string => `(function(){${[...parts, guardStart].map(String).join('\n')}
guardStart(${JSON.stringify(startFailedEvent)},8000,24000)})()`;
