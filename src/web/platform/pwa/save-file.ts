/** Not in every browser; TypeScript's DOM says it is. */
type Sharing = Partial<Pick<Navigator, 'share' | 'canShare'>>;

/** Leaves a file with the browser, which puts it where its owner's files are. */
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
 * saved instead: its owner has it in any case.
 */
export async function shareFile(name: string, content: Blob): Promise<void> {
  try {
    await navigator.share({ files: [new File([content], name, { type: content.type })] });
  } catch (error) {
    // closing the list of apps is no failure
    if (error instanceof DOMException && error.name === 'AbortError') return;
    saveFile(name, content);
  }
}

/** The bytes of what a call answers in base64. */
export function fileOfBase64(content: string, type: string): Blob {
  return new Blob([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))], { type });
}
