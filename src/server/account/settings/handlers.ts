import { and, eq, isNotNull } from 'drizzle-orm';
import * as contract from '#contract/settings.ts';
import { numberOf } from '#server/auth/users.ts';
import { supportedLanguage } from '#server/auth/signup.ts';
import { users } from '#server/db/schema/users.ts';
import { bind, type Handler, type SessionUser } from '#server/runtime/request/request-context.ts';
import { changeContact, sendContactCode, restoreContact } from './change-contact.ts';
import { offersByLink, setOffers } from './offers.ts';
import { isPhoneRemovable, removePhone } from './remove-phone.ts';

const isCustomer = ({ brand, uid }: SessionUser) => and(eq(users.brand, brand), eq(users.uid, uid));

const ownSettings: Handler<typeof contract.ownSettings> = async (_, { deps, brand, user }) => {
  const { account, accountType, nickname, email, verifiedAt, language, unsubscribeEmail } = user;
  // the hash itself is not read
  const withPassword = await deps.db
    .select({ uid: users.uid })
    .from(users)
    .where(and(isCustomer(user), isNotNull(users.passwordHash)));
  return {
    nickname,
    account,
    type: accountType,
    email,
    // an address is bound to a phone account only by a link that was sent to it
    emailVerified: email !== null && (accountType === 'phone' || verifiedAt !== null),
    nameVerified: verifiedAt !== null,
    phone: numberOf(user),
    phoneRemovable: isPhoneRemovable(user, withPassword.length > 0),
    hasPassword: withPassword.length > 0,
    language: supportedLanguage(brand, language),
    unsubscribeEmail,
  };
};

const saveNickname: Handler<typeof contract.saveNickname> = async ({ body }, { deps, user }) => {
  const nickname = body.nickname.trim();
  await deps.db.update(users).set({ nickname }).where(isCustomer(user));
  return { nickname };
};

const saveLanguage: Handler<typeof contract.saveLanguage> = async ({ body }, { deps, brand, user }) => {
  const language = supportedLanguage(brand, body.language);
  await deps.db.update(users).set({ language }).where(isCustomer(user));
  return { language };
};

const campaignSubscription: Handler<typeof contract.campaignSubscription> = async (
  { query },
  { deps, brand, user, refuse },
) => {
  const subscribe = query.subscribeStatus === 'true';
  if (subscribe && !brand.config.subscribeEmail) return refuse('operationUnsupported');
  await setOffers(deps.db, user, subscribe);
  return { unsubscribeEmail: !subscribe };
};

/** The endpoints of the customer's settings. */
export const settingsHandlers = {
  ownSettings: bind(contract.ownSettings, ownSettings),
  saveNickname: bind(contract.saveNickname, saveNickname),
  saveLanguage: bind(contract.saveLanguage, saveLanguage),
  campaignSubscription: bind(contract.campaignSubscription, campaignSubscription),
  offersByLink: bind(contract.offersByLink, offersByLink),
  sendContactCode: bind(contract.sendContactCode, sendContactCode),
  changeContact: bind(contract.changeContact, changeContact),
  removePhone: bind(contract.removePhone, removePhone),
  restoreContact: bind(contract.restoreContact, restoreContact),
};
