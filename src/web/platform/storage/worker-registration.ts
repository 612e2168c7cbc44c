import { withinLimit } from './time-limit.ts';

/** The page's way to service workers; undefined where there are none: insecure origins, sandboxed frames, private windows. */
export function workerContainer(): ServiceWorkerContainer | undefined {
  try {
    const container: ServiceWorkerContainer | undefined = navigator.serviceWorker;
    return container;
  } catch {
    return undefined;
  }
}

/** The worker of this origin; undefined where there is none, or the browser does not say so in time. */
export async function workerRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  return withinLimit(() => workerContainer()?.getRegistration());
}
