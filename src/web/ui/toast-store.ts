export interface Toast {
  readonly id: number;
  readonly tone: 'info' | 'success' | 'warning' | 'danger';
  readonly text: string;
}

/** More than three are not read by anyone; the oldest gives way. */
const shownAtOnce = 3;
const none: readonly Toast[] = [];
const listeners = new Set<() => void>();
let toasts = none;
let lastId = 0;

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a sentence for some seconds. The same sentence twice is shown once, newly timed. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  lastId += 1;
  const others = toasts.filter((other) => other.text !== toast.text);
  change([...others, { ...toast, id: lastId }].slice(-shownAtOnce));
}

export function dismissToast(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

/** For `useSyncExternalStore`. */
export const toastStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: () => toasts,
  onServer: () => none,
};
