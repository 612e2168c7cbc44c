import type * as contract from '../../contract/auth.ts';
import type { Language } from '../../contract/fields.ts';
import { refuse } from '../api-error.ts';
import type { Brand } from '../brand/catalog.ts';
import { users } from '../db/schema.ts';
import { queueMail } from '../email/outbox.ts';
import { welcomeMail } from '../email/welcome-mail.ts';
import type { Handler } from '../mount.ts';
import { takeTry } from '../throttle.ts';
import { identityOf } from './account-rules.ts';
import { hashPassword } from './password.ts';
import { signIn } from './sign-in.ts';

/** New accounts from one address; many people share one at work or behind a carrier. */
const limit = { tries: 300, windowMs: 60 * 60 * 1000 };

export const signup: Handler<typeof contract.signup> = async ({ body }, context) => {
  const { deps, brand, ip } = context;
  const identity = identityOf(brand, body);
  const taken = await takeTry(deps.db, `signup ${brand.code} ${ip}`, limit, deps.clock());
  if (!taken.allowed) refuse(-3031, { waitSeconds: taken.waitSeconds });
  const passwordHash = await hashPassword(body.password);
  const language = spoken(brand, body.language);
  return deps.db.transaction(async (tx) => {
    const [user] = await tx
      .insert(users)
      .values({
        uid: deps.random.id(),
        brand: brand.code,
        account: identity.account,
        accountType: identity.type,
        areaCode: identity.areaCode,
        passwordHash,
        nickname: body.nickname?.trim() ?? '',
        language,
        createdAt: deps.clock(),
      })
      .onConflictDoNothing({ target: [users.brand, users.account] })
      .returning();
    if (!user) return refuse(6);
    if (identity.type === 'email') {
      await queueMail(tx, { brand, to: identity.account, ...welcomeMail(brand, language) }, deps);
    }
    return signIn(tx, user, context);
  });
};

function spoken(brand: Brand, language: Language): Language {
  return brand.config.langs.includes(language) ? language : brand.config.defaultLang;
}
