import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { transfers, uploads } from '#server/db/schema/transfers.ts';
import { deleteExpiredRows } from '#server/jobs/delete-expired-rows.ts';
import { proofOf } from '#server/billing/review-transfer.ts';
import { aShop, byPix, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { aPicture, aTransfer, handIn, sendFile, type OwedTransfer } from '#tests/builders/a-transfer.ts';

const day = 86_400_000;
const { maxBytes } = endpoints.uploadObject.file;
let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

describe('an uploaded file', () => {
  let buyer: Buyer;
  beforeAll(async () => {
    ({ buyer } = await aTransfer(shop));
  });
  const ascii = (text: string) => new TextEncoder().encode(text);
  const segment = (marker: number, ...content: number[]) => [0xff, marker, 0, content.length + 2, ...content];
  /** an embedded thumbnail, several scans with a restart marker, and trailing data of a phone */
  const aPhoto = Uint8Array.from(
    [
      [0xff, 0xd8, ...segment(0xe1, 0xff, 0xd8, 0xff, 0xd9), ...segment(0xc2, 8, 0, 8, 0, 8, 1, 1, 0x11, 0)],
      [...segment(0xda, 1, 1, 0, 0, 0, 0), 0x12, 0xff, 0x00, 0x34, 0xff, 0xd3, 0x56],
      [...segment(0xc4, 0), 0xff, ...segment(0xda, 1, 1, 0, 1, 63, 0), 0x78, 0xff, 0xd9, 1, 2],
    ].flat(),
  );

  it('is stored unchanged up to 4 MiB', async () => {
    const transfer = await aTransfer(shop);
    const large = new Uint8Array(maxBytes).map((_, index) => index * 7);
    large.set(aPicture);
    const { objectId } = await sendFile(shop, transfer.buyer, large);
    await handIn(shop, transfer.buyer, transfer.orderId, objectId);
    const proof = await proofOf(shop.db, (await transfer.seen()).transfer);
    expect(proof?.mediaType).toBe('image/png');
    expect(Buffer.compare(proof?.content ?? new Uint8Array(), large)).toBe(0);
  });

  it.each([
    ['image/jpeg', aPhoto],
    ['image/png', aPicture],
    ['image/webp', ascii('RIFF\x0c\x00\x00\x00WEBPVP8 \x00\x00\x00\x00')],
    ['application/pdf', ascii('%PDF-1.7\nxref\n%%EOF\n')],
  ])('is recognised as %s by its first bytes, regardless of its declared type', async (type, bytes) => {
    const { objectId } = await sendFile(shop, buyer, bytes, 'application/octet-stream');
    const [row] = await shop.db.select().from(uploads).where(eq(uploads.objectId, objectId));
    expect(row).toMatchObject({ mediaType: type, uid: buyer.uid, brand: 'mego' });
  });

  it.each([
    ['a page that calls itself a picture', ascii('<!doctype html><script>alert(1)</script>')],
    ['a drawing that can hold a script', ascii('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a sound in the same box as a picture', ascii('RIFF\x10\x00\x00\x00WAVEfmt ')],
    ['nothing', new Uint8Array()],
    ['the beginning of a picture', aPicture.slice(0, 5)],
  ])('is refused if it is %s', async (_what, bytes) => {
    expect(await sendFile(shop, buyer, bytes)).toMatchObject({ status: 415, errCode: 5000, field: 'file' });
  });

  it.each([
    ['photo', aPhoto.slice(0, -4)],
    ['photo that ends between its scans', aPhoto.slice(0, -18)],
    ['photo with nothing but a small one in it', aPhoto.slice(0, 10)],
    ['picture', aPicture.slice(0, -12)],
    ['picture of another kind', ascii('RIFF\x10\x00\x00\x00WEBPVP8 \x00\x00\x00\x00')],
    ['document', ascii('%PDF-1.7\nxref\n')],
  ])('is refused as incomplete if it is half of a %s', async (_what, bytes) => {
    expect(await sendFile(shop, buyer, bytes)).toMatchObject({ status: 422, errCode: 5000, field: 'file' });
  });

  it('is refused if it is larger than 4 MiB or has no session', async () => {
    const large = new Uint8Array(maxBytes + 1);
    large.set(aPicture);
    expect(await sendFile(shop, buyer, large)).toMatchObject({ status: 413, errCode: 5000 });
    expect(await sendFile(shop, { ...buyer, token: 'null' }, aPicture)).toMatchObject({ errCode: 21 });
  });

  it('is accepted at most twenty times a day', async () => {
    const { buyer: eager } = await aTransfer(shop);
    for (let sent = 0; sent < 20; sent += 1) expect((await sendFile(shop, eager, aPicture)).status).toBe(200);
    expect(await sendFile(shop, eager, aPicture)).toMatchObject({ status: 429, errCode: -3031 });
    shop.clock.advance(day);
    expect((await sendFile(shop, eager, aPicture)).status).toBe(200);
  });

  it('is accepted only for a transfer that needs a proof of payment', async () => {
    const lumen = await shop.buyer();
    await lumen.pay(byPix);
    const idle = await shop.buyer({ host: 'mego.localhost' });
    const transfer = await aTransfer(shop);
    for (const one of [lumen, idle])
      expect(await sendFile(shop, one, aPicture)).toMatchObject({ status: 422, errCode: 4598 });
    await transfer.prove();
    expect(await sendFile(shop, transfer.buyer, aPicture)).toMatchObject({ errCode: 4598 });
    await transfer.reject();
    expect((await sendFile(shop, transfer.buyer, aPicture)).status).toBe(200);
  });

  it(
    'is refused after forty files or forty megabytes of a customer, even if two arrive together',
    { tags: 'slow' },
    async () => {
      const { buyer: heavy } = await aTransfer(shop);
      const large = new Uint8Array(maxBytes);
      large.set(aPicture);
      const sent: Awaited<ReturnType<typeof sendFile>>[] = [];
      while (sent.length < 9) sent.push(await sendFile(shop, heavy, large));
      // one session may send at most two at the same time
      const pair = () => Promise.all([sendFile(shop, heavy, large), sendFile(shop, heavy, large)]);
      sent.push(...(await pair()), ...(await pair()));
      const counted = [200, 429].map((wanted) => sent.filter(({ status }) => status === wanted).length);
      expect(counted).toEqual([10, 3]);
      const { buyer: busy } = await aTransfer(shop);
      const old = Array.from({ length: 40 }, (_, n) => ({ objectId: `old-${n}`, brand: 'mego', uid: busy.uid }));
      const row = { mediaType: 'image/png', content: aPicture, createdAt: shop.clock.now };
      await shop.db.insert(uploads).values(old.map((one) => ({ ...one, ...row })));
      expect(await sendFile(shop, busy, aPicture)).toMatchObject({ status: 429, errCode: -3031 });
    },
  );

  it('is deleted 90 days after its transfer ended, and not during a review', async () => {
    const [ended, open] = [await aTransfer(shop), await aTransfer(shop)];
    for (const transfer of [ended, open]) await transfer.prove();
    await ended.accept();
    const isStored = async (transfer: OwedTransfer) =>
      (await proofOf(shop.db, (await transfer.seen()).transfer)) !== undefined;
    shop.clock.advance(90 * day);
    await deleteExpiredRows(shop.deps);
    expect([await isStored(ended), await isStored(open)]).toEqual([true, true]);
    shop.clock.advance(day);
    await deleteExpiredRows(shop.deps);
    expect([await isStored(ended), await isStored(open)]).toEqual([false, true]);
    expect(
      await shop.db
        .select()
        .from(transfers)
        .where(eq(transfers.key, (await ended.seen()).transfer.key)),
    ).toHaveLength(1);
  });
});
