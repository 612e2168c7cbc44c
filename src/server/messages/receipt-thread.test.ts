import { extractText, getDocumentProxy } from 'unpdf';
import { expect, it } from 'vitest';
import { ApiRefusal } from '#server/runtime/request/api-error.ts';
import type { ReceiptToDraw } from './receipt-pdf.ts';
import { drawReceipt } from './receipt-thread.ts';

const receipt: ReceiptToDraw = {
  content: {
    brand: 'Lumen',
    title: 'Чек',
    seller: [],
    rows: [['Клиент', 'Анна']],
    amounts: [['Итого', '59,97 R$']],
    taxes: [],
  },
  language: 'ru',
  paidAt: Date.UTC(2026, 10, 26),
};

/** CPU time in milliseconds, of this thread and of all threads. */
const spent = () => {
  const [here, everywhere] = [process.threadCpuUsage(), process.cpuUsage()];
  return { here: (here.user + here.system) / 1000, everywhere: (everywhere.user + everywhere.system) / 1000 };
};

it('draws a receipt outside of the thread that serves requests', async () => {
  await drawReceipt(receipt);
  const before = spent();
  for (let drawn = 0; drawn < 5; drawn += 1) {
    expect((await drawReceipt(receipt)).subarray(0, 5).toString()).toBe('%PDF-');
  }
  const after = spent();
  expect(after.here - before.here).toBeLessThan((after.everywhere - before.everywhere) / 4);
});

it('draws the tax and the credit notes below the total, on as many pages as they need', async () => {
  const credits = Array.from({ length: 30 }, (_, index) => [`Credit note LUM-2026-${index}`, '-R$ 1,00'] as const);
  const content = { ...receipt.content, taxes: [['Includes 19% VAT', 'R$ 9,58'] as const, ...credits] };
  const document = await getDocumentProxy(new Uint8Array(await drawReceipt({ ...receipt, content })));
  expect(document.numPages).toBe(2);
  const { text } = await extractText(document);
  expect(text[0]).toMatch(/Итого[^]*Includes 19% VAT[^]*LUM-2026-0/);
  expect(text[1]).toContain('LUM-2026-29');
});

it('reports a receipt that cannot be drawn, and draws the next one', async () => {
  // as: what a bug of ours would send
  const broken = { ...receipt, content: {} } as unknown as ReceiptToDraw;
  await expect(drawReceipt(broken)).rejects.toThrow(TypeError);
  await expect(drawReceipt(receipt)).resolves.toBeInstanceOf(Buffer);
});

it('refuses with "busy" when it cannot draw the queued receipts in time', { timeout: 60_000 }, async () => {
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => drawReceipt(receipt)));
  const refused = results.filter((one) => one.status === 'rejected');
  expect(refused.length).toBeGreaterThan(10);
  for (const { reason } of refused) expect(reason).toMatchObject({ error: 'serviceBusy' });
  expect(refused[0]?.reason).toBeInstanceOf(ApiRefusal);
  expect(results.length - refused.length).toBeGreaterThanOrEqual(30);
});
