import { withinLimit } from './time-limit.ts';

/** The service workers of the page; undefined on insecure origins, in sandboxed frames and in private windows. */
export function workerContainer(): ServiceWorkerContainer | undefined {
  try {
    const container: ServiceWorkerContainer | undefined = navigator.serviceWorker;
    return container;
  } catch {
    return undefined;
  }
}

/** The worker of this origin; undefined if none is registered, or the browser does not answer in time. */
export async function workerRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  return withinLimit(() => workerContainer()?.getRegistration());
}
