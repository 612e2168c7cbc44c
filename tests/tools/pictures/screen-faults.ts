/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { widthFaults } from '#tests/fixtures/faults.ts';
import { brokenText, fixedContentShare, overlappingText } from '#tests/fixtures/overlapping-text.ts';

/** The share of the window that fixed content may cover. */
const greatestShare = 1 / 3;

/** Runs in the page. Texts that end with an ellipsis or are clipped. */
function findCutText(): string[] {
  return [...document.querySelectorAll<HTMLElement>('body *')]
    .filter((element) => {
      const { overflowX, textOverflow, clipPath } = getComputedStyle(element);
      const clips = overflowX === 'hidden' || overflowX === 'clip' || textOverflow === 'ellipsis';
      return clips && clipPath === 'none' && element.checkVisibility() && element.clientWidth > 1;
    })
    .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.innerText.trim() !== '')
    .map((element) => `"${element.innerText.slice(0, 60).replaceAll(/\s+/g, ' ')}" is cut`);
}

/** What a reviewer need not search for in a screenshot; one line for each fault. */
export async function screenFaults(page: Page): Promise<string[]> {
  const found = [widthFaults(page), brokenText(page), page.evaluate(findCutText)];
  // an open dialog covers the page by design
  if ((await page.locator('dialog[open]').count()) > 0) return (await Promise.all(found)).flat();
  found.push(overlappingText(page));
  const share = await fixedContentShare(page);
  const covered = share > greatestShare ? [`fixed content covers ${Math.round(share * 100)} % of the window`] : [];
  return [...(await Promise.all(found)).flat(), ...covered];
}
