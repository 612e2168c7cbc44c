import 'dialog-polyfill/dist/dialog-polyfill.css';

/**
 * `<dialog>` for Firefox before 98, where it is an unknown element: the polyfill is registered when it is first opened.
 */
export async function polyfillDialogs(): Promise<void> {
  // the module reads `window` when it is loaded
  const { default: polyfill } = await import('dialog-polyfill');
  const unknown = HTMLUnknownElement.prototype;
  Object.defineProperty(unknown, 'showModal', {
    configurable: true,
    value(this: HTMLDialogElement) {
      polyfill.registerDialog(this);
      // the method that the polyfill has added to this element
      this.showModal();
    },
  });
  // a dialog that was never opened is closed
  Object.defineProperty(unknown, 'close', { configurable: true, value: () => undefined });
}
