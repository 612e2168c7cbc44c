import { compareSigningSecret, replaceSigningSecret } from '#server/db/signing-check.ts';
import { auditOptions, writeAudit } from './audit.ts';
import { OperatorError, type ShopCommand } from './command.ts';

/** Lets processes start with another `SIGNING_SECRET`, the one in the environment of this command. */
export const replaceSecretCommand: ShopCommand = {
  name: 'signing-secret replace',
  summary: 'makes the SIGNING_SECRET of this environment the one that all processes have to start with',
  replacesSecret: true,
  options: auditOptions,
  inShop: async (given, { deps, done }) => {
    if (deps.env.DATABASE_URL === undefined)
      throw new OperatorError('A demo has one process, which may start with any SIGNING_SECRET.');
    if ((await compareSigningSecret(deps.db, deps.env)) === 'same') {
      done('This SIGNING_SECRET is recorded already; nothing has changed.', { changed: false });
      return;
    }
    await deps.db.transaction(async (tx) => {
      await replaceSigningSecret(tx, deps.env, deps.clock());
      await writeAudit(tx, given, { command: 'signing-secret replace' }, deps);
    });
    done(
      'Processes start with this SIGNING_SECRET from now on. Quotes, codes and known devices of before have ended.',
      {
        changed: true,
      },
    );
  },
};
