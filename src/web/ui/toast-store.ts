import { createStore } from './store.ts';

export interface Toast {
  readonly id: number;
  readonly tone: 'info' | 'success' | 'warning' | 'danger';
  readonly text: string;
  /** what can be done about it; such a toast stays until that is `over` */
  readonly action?: { readonly label: string; readonly act: () => void; readonly over: Promise<void> };
}

/** More than three are not read by anyone; the oldest gives way. */
const shownAtOnce = 3;
export const noToasts: readonly Toast[] = [];
/** What is shown now. */
export const toastStore = createStore(noToasts);
let lastId = 0;

/** Shows a sentence for some seconds. The same sentence twice is shown once, newly timed. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  lastId += 1;
  const others = toastStore.get().filter((other) => other.text !== toast.text);
  toastStore.set([...others, { ...toast, id: lastId }].slice(-shownAtOnce));
}

export function dismissToast(id: number): void {
  toastStore.set(toastStore.get().filter((toast) => toast.id !== id));
}
