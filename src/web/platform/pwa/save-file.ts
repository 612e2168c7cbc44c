import { isInApp } from '#web/platform/entry/engine/in-app-browser.ts';

/** Missing in some browsers, although TypeScript's DOM types declare it. */
type Sharing = Partial<Pick<Navigator, 'share' | 'canShare'>>;

/** Whether downloads work: in-app browsers drop them silently. */
export const canSaveFiles = () => !isInApp();

/** Downloads a file. The browser does not report whether it was saved. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Safari reads the URL for a while after the click
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * Whether this browser can share files with other apps (W3C Web Share, level 2). Never on a TV, which has no such apps.
 */
export function canShareFiles(): boolean {
  if (typeof navigator === 'undefined' || document.documentElement.dataset.screen === 'TV') return false;
  const sharing: Sharing = navigator;
  return sharing.canShare?.({ files: [new File([], 'a.pdf', { type: 'application/pdf' })] }) ?? false;
}

/**
 * Shares a file with another app. Where the user activation has expired during the request, the file is downloaded
 * instead, if downloads work. Returns false where neither is possible.
 */
export async function shareFile(name: string, content: Blob): Promise<boolean> {
  try {
    await navigator.share({ files: [new File([content], name, { type: content.type })] });
    return true;
  } catch (error) {
    // the customer closed the share sheet
    if (error instanceof DOMException && error.name === 'AbortError') return true;
    if (canSaveFiles()) saveFile(name, content);
    return canSaveFiles();
  }
}

/** Decodes the base64 content of an API result. */
export function fileOfBase64(content: string, type: string): Blob {
  return new Blob([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))], { type });
}
