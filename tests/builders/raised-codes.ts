/**
 * The test file in which a call over HTTP is refused with each error code. `watch-codes.ts` fails a file whose calls
 * are not refused with its codes; `error-codes.test.ts` fails for a code that is neither here nor in
 * src/contract/README.md.
 */
export const raisedIn: Readonly<Record<string, readonly number[]>> = {
  'tests/api/account-password.test.ts': [3, 17],
  'tests/api/account.test.ts': [6699],
  'tests/api/auth.test.ts': [32, 197, 3001],
  'tests/api/bad-input.test.ts': [5000, 5008],
  'tests/api/billing.test.ts': [21, 1015, 1040, 6000, 9001, 9002, 9991, -2408, -2502],
  'tests/api/cards.test.ts': [306, 309, 1022, -2511],
  'tests/api/cloud-storage.test.ts': [6001],
  'tests/api/codes.test.ts': [4598],
  'tests/api/coupons-bound.test.ts': [1003, 9000, 9003],
  'tests/api/email-binding.test.ts': [10303],
  'tests/api/email-links.test.ts': [10026, 10027, 10302],
  'tests/api/email.test.ts': [10024],
  'tests/api/my-data-deletion.test.ts': [4599],
  'tests/api/password-reset-due.test.ts': [2500],
  'tests/api/payment-steps-otp.test.ts': [-3031, -3032, -3034],
  'tests/api/payments-card.test.ts': [301, 302, 314, 315, 2003, 5015],
  'tests/api/payments-redirect.test.ts': [1001],
  'tests/api/payments-transfer.test.ts': [-2602],
  'tests/api/payments-wallet.test.ts': [2007],
  'tests/api/renewal-bank-answers.test.ts': [6207],
  'tests/api/renewal-cards-and-prices.test.ts': [1020, 1021, 2002, -2400],
  'tests/api/renewal-turning-off.test.ts': [2001, 6202, 6204],
  'tests/api/renewal-turning-on.test.ts': [6201, 6206],
  'tests/api/security/dpop.test.ts': [4600],
  'tests/api/security/eviction.test.ts': [203],
  'tests/api/security/first-proof.test.ts': [9],
  'tests/api/settings-contact.test.ts': [10025],
  'tests/api/sign-on-google-provider.test.ts': [-3036, -3039, -24040],
  'tests/api/sign-on-sso-account.test.ts': [-24050],
  'tests/api/sign-on-sso.test.ts': [201, -1112, -2223, -24010, -24020, -24030, -24031],
  'tests/api/signup.test.ts': [6, 8, 10, 11, 4000, 5003, -3033, -3035],
  'tests/api/site.test.ts': [1030, 2008],
};
