import type { Piscina } from 'piscina';
import { createBusyRefusal } from '#server/runtime/request/api-error.ts';
import type { ReceiptToDraw } from './receipt-pdf.ts';

/** The thread with its loaded fonts, some 100 MB, ends after this time without a receipt. */
const idleTimeoutMs = 60_000;
/** With more in the queue, a caller would time out before its receipt was drawn. */
const mostWaiting = 30;

let pool: Promise<Piscina<ReceiptToDraw, Uint8Array>> | undefined;

/** Most processes draw none, so the thread starts with the first receipt. */
async function openPool(): Promise<Piscina<ReceiptToDraw, Uint8Array>> {
  const { Piscina } = await import('piscina');
  return new Piscina({
    filename: import.meta.resolve('./receipt-worker.ts'),
    name: 'receiptPdf',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleTimeoutMs,
  });
}

/**
 * Draws a receipt in a thread, because it would block the thread that serves requests. Rejects with `serviceBusy` if
 * too many are queued.
 */
export async function drawReceipt(receipt: ReceiptToDraw): Promise<Buffer> {
  pool ??= openPool();
  const opened = await pool;
  if (opened.queueSize >= mostWaiting) throw createBusyRefusal();
  const { buffer, byteOffset, byteLength } = await opened.run(receipt);
  return Buffer.from(buffer, byteOffset, byteLength);
}
