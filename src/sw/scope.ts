/** The worker's own global; the standard library types it as a plain worker. */
declare const self: ServiceWorkerGlobalScope;

export const scope = self;
