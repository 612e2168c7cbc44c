import 'dialog-polyfill/dist/dialog-polyfill.css';

/** `<dialog>` for Firefox before 98, where it is an element that nobody knows: it is taught when it is first opened. */
export async function polyfillDialogs(): Promise<void> {
  // it looks at the window as soon as it is loaded
  const { default: polyfill } = await import('dialog-polyfill');
  const unknown = HTMLUnknownElement.prototype;
  Object.defineProperty(unknown, 'showModal', {
    configurable: true,
    value(this: HTMLDialogElement) {
      polyfill.registerDialog(this);
      // its own by now
      this.showModal();
    },
  });
  // closed, as long as nobody has opened it
  Object.defineProperty(unknown, 'close', { configurable: true, value: () => undefined });
}
