import { isInApp } from '#web/platform/entry/engine/in-app-browser.ts';

/** Not in every browser; TypeScript's DOM says it is. */
type Sharing = Partial<Pick<Navigator, 'share' | 'canShare'>>;

/** Whether a file that is left with the browser arrives anywhere; views of other apps drop it without a word. */
export const canSaveFiles = () => !isInApp();

/** Leaves a file with the browser, which puts it where its owner's files are; it does not say whether it did. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Safari still reads it for a while after the tap
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Whether this browser hands files to other apps (W3C Web Share, level 2). A TV has nobody to hand them to. */
export function canShareFiles(): boolean {
  if (typeof navigator === 'undefined' || document.documentElement.dataset.screen === 'TV') return false;
  const sharing: Sharing = navigator;
  return sharing.canShare?.({ files: [new File([], 'a.pdf', { type: 'application/pdf' })] }) ?? false;
}

/**
 * Hands a file to another app of the phone. Where the browser wants a fresher tap than the one that has fetched it, it is
 * saved instead, where files can be saved. Answers false if the customer has neither.
 */
export async function shareFile(name: string, content: Blob): Promise<boolean> {
  try {
    await navigator.share({ files: [new File([content], name, { type: content.type })] });
    return true;
  } catch (error) {
    // closing the list of apps is no failure
    if (error instanceof DOMException && error.name === 'AbortError') return true;
    if (canSaveFiles()) saveFile(name, content);
    return canSaveFiles();
  }
}

/** The bytes of what a call answers in base64. */
export function fileOfBase64(content: string, type: string): Blob {
  return new Blob([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))], { type });
}
