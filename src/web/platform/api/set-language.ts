import type { Language } from '#contract/fields.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { perform } from '#web/platform/api/perform.ts';

let latest = 0;

/**
 * Changes the language without a reload, so that typed input stays. The choice is stored on the device, and in a cookie
 * so that the server renders the next page in it. Returns false, after a toast, when the messages cannot be loaded.
 */
export async function setLanguage(language: Language): Promise<boolean> {
  const turn = (latest += 1);
  const isLatest = () => turn === latest;
  try {
    // Loaded together with the messages: most visits never change the language.
    const { changeLanguage } = await import('./wording.ts');
    return await changeLanguage(language, isLatest);
  } catch (error) {
    console.info('The words did not arrive.', error);
    if (isLatest()) {
      void perform([{ type: 'toast', tone: 'warning' }], new ApiError('network', 'catalog', { lost: 'unreachable' }));
    }
    return false;
  }
}
