import { and, desc, eq, gt } from 'drizzle-orm';
import type * as contract from '#contract/tv-devices.ts';
import type { SessionUser, Handler } from '#server/runtime/request/request-context.ts';
import { sessions } from '#server/db/schema/users.ts';

/** More than any customer has; the rest of an artificially long list is not shown. */
const shown = 50;

const ownBoxes = ({ brand, uid }: SessionUser) =>
  and(eq(sessions.brand, brand), eq(sessions.uid, uid), eq(sessions.kind, 'box'));

export const listBoxes: Handler<typeof contract.listBoxes> = async (_, { deps, user }) => {
  const rows = await deps.db
    .select({
      boxId: sessions.boxId,
      maker: sessions.boxMaker,
      model: sessions.boxModel,
      signedInAt: sessions.createdAt,
    })
    .from(sessions)
    .where(and(ownBoxes(user), eq(sessions.handed, false), gt(sessions.expiresAt, deps.clock())))
    .orderBy(desc(sessions.createdAt), desc(sessions.boxId))
    .limit(shown);
  return rows.map(({ boxId, ...box }) => ({ boxId: boxId ?? '', ...box }));
};

/** Also ends the sessions of phones with a checkout of this TV, which have its ID. */
export const endBox: Handler<typeof contract.endBox> = async ({ body }, { deps, user }) => {
  await deps.db.delete(sessions).where(and(ownBoxes(user), eq(sessions.boxId, body.boxId)));
  return {};
};
