import { and, eq } from 'drizzle-orm';
import * as contract from '../../contract/payment-steps.ts';
import { refuse, refuseInput } from '../api-error.ts';
import { uploads } from '../db/schema.ts';
import { bind } from '../mount.ts';
import type { CustomerContext } from '../request-context.ts';
import { takeTry } from '../throttle.ts';
import { actOnOwn } from './act-on-payment.ts';

/** A customer needs one or two for a transfer; this bounds what one account can make us keep. */
const aDay = { tries: 20, windowMs: 24 * 60 * 60_000 };

/**
 * Proofs of transfers. A file is kept as it came and is never served on the web, to nobody: what a stranger sends is
 * opened by the operator's command alone, so nothing in it can run on the shop's own origin.
 */
export const uploadHandlers = {
  uploadObject: bind(contract.uploadObject, async ({ file }, context) => {
    const { deps, brand, user } = context;
    const now = deps.clock();
    const { allowed, waitSeconds } = await takeTry(deps.db, `upload ${brand.code} ${user.uid}`, aDay, now);
    if (!allowed) refuse(-3031, { waitSeconds });
    const objectId = deps.random.token(16);
    await deps.db.insert(uploads).values({
      objectId,
      brand: brand.code,
      uid: user.uid,
      mediaType: file.type,
      content: file.bytes,
      createdAt: now,
    });
    return { objectId };
  }),
  orderUpload: bind(contract.orderUpload, async ({ body }, context) => {
    const { orderId, objectId } = body;
    if (!(await isOwnUpload(context, objectId))) refuseInput('objectId');
    const accepts = ({ type }: { type: string }) => type === 'upload';
    return actOnOwn(context, orderId, { accepts, act: { type: 'proof', objectId } });
  }),
};

async function isOwnUpload({ deps, brand, user }: CustomerContext, objectId: string): Promise<boolean> {
  const own = and(eq(uploads.brand, brand.code), eq(uploads.uid, user.uid), eq(uploads.objectId, objectId));
  const rows = await deps.db.select({ objectId: uploads.objectId }).from(uploads).where(own).limit(1);
  return rows.length > 0;
}
