import { createStore } from './store.ts';

export interface Toast {
  readonly id: number;
  readonly tone: 'info' | 'success' | 'warning' | 'danger';
  readonly text: string;
  /** an action of the customer; such a toast stays until `over` resolves */
  readonly action?: { readonly label: string; readonly act: () => void; readonly over: Promise<void> };
}

/** More than three are not readable; the oldest is removed. */
const shownAtOnce = 3;
export const noToasts: readonly Toast[] = [];
/** The shown toasts. */
export const toastStore = createStore(noToasts);
let lastId = 0;

/** Shows a message for some seconds. The same message again restarts its time instead of appearing twice. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  lastId += 1;
  const others = toastStore.get().filter((other) => other.text !== toast.text);
  toastStore.set([...others, { ...toast, id: lastId }].slice(-shownAtOnce));
}

export function dismissToast(id: number): void {
  toastStore.set(toastStore.get().filter((toast) => toast.id !== id));
}
