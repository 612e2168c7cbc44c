import { and, desc, eq, gt } from 'drizzle-orm';
import type * as contract from '#contract/boxes.ts';
import type { SessionUser } from '#server/runtime/request/request-context.ts';
import { sessions } from '#server/db/schema/users.ts';
import type { Handler } from '#server/runtime/request/bind.ts';

/** More than anybody has; nobody waits for the rest of a list that somebody has filled. */
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

/** Phones that it has handed a checkout to bear its id, and go with it. */
export const endBox: Handler<typeof contract.endBox> = async ({ body }, { deps, user }) => {
  await deps.db.delete(sessions).where(and(ownBoxes(user), eq(sessions.boxId, body.boxId)));
  return {};
};
