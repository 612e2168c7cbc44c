import { and, desc, eq, gt } from 'drizzle-orm';
import type * as contract from '#contract/tv-devices.ts';
import type { Database } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { SessionUser, Handler } from '#server/runtime/request/request-context.ts';
import { sessions } from '#server/db/schema/users.ts';

/** More than any customer has; the rest of an artificially long list is not shown. */
const shown = 50;

type Owner = Pick<SessionUser, 'brand' | 'uid'>;

const ownBoxes = ({ brand, uid }: Owner) =>
  and(eq(sessions.brand, brand), eq(sessions.uid, uid), eq(sessions.kind, 'box'));

export const listBoxes: Handler<typeof contract.listBoxes> = (_, { deps, user }) => boxesOf(deps, user);

/** The TV devices that are logged in, newest first. */
export async function boxesOf({ db, clock }: Pick<Deps, 'db' | 'clock'>, user: Owner) {
  const rows = await db
    .select({
      boxId: sessions.boxId,
      maker: sessions.boxMaker,
      model: sessions.boxModel,
      signedInAt: sessions.createdAt,
    })
    .from(sessions)
    .where(and(ownBoxes(user), eq(sessions.handed, false), gt(sessions.expiresAt, clock())))
    .orderBy(desc(sessions.createdAt), desc(sessions.boxId))
    .limit(shown);
  return rows.map(({ boxId, ...box }) => ({ boxId: boxId ?? '', ...box }));
}

export const endBox: Handler<typeof contract.endBox> = async ({ body }, { deps, user }) => {
  await removeBox(deps.db, user, body.boxId);
  return {};
};

/** Also ends the sessions of phones with a checkout of this TV, which have its ID. False if it is not logged in. */
export async function removeBox(db: Database, user: Owner, boxId: string): Promise<boolean> {
  const which = and(ownBoxes(user), eq(sessions.boxId, boxId));
  return (await db.delete(sessions).where(which).returning({ id: sessions.boxId })).length > 0;
}
