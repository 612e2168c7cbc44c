declare global {
  interface DOMStringMap {
    /** progress of the page's start; unset until its first module runs ([Note: Start guard]) */
    start?: 'running' | 'unsupported' | 'failed';
  }
}

/** Dispatched on `window` when the storefront cannot start. */
export const startFailedEvent = 'marquee:start-failed';
