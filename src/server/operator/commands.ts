import { endCouponCommand, listCouponsCommand } from './coupon-list.ts';
import { applyBrandCommand, checkBrandCommand, previewBrandCommand } from './brand-folders.ts';
import { newBrandCommand, exportBrandCommand, listBrandsCommand, retireBrandCommand } from './brand-new.ts';
import { type Command, type ShopCommand, hasOption, OperatorError } from './command.ts';
import { createCouponCommand, generateCouponsCommand, giveCouponCommand } from './coupons.ts';
import {
  deleteCommand,
  endWaitCommand,
  exportCustomerCommand,
  findCustomersCommand,
  keepCommand,
  showCustomerCommand,
} from './customer-commands.ts';
import {
  bindEmailCommand,
  blockCommand,
  removePhoneCommand,
  requireResetCommand,
  setTypeCommand,
  signOutCommand,
  unblockCommand,
} from './customers.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { issueInvoicesCommand, listInvoicesCommand, showInvoiceCommand } from './invoices.ts';
import { doneOrderCommand, orphansCommand, unknownPaymentsCommand } from './orphans.ts';
import { cancelOrderCommand, resendMessageCommand, resendReceiptCommand } from './order-changes.ts';
import { listDisputesCommand, listOrdersCommand } from './order-list.ts';
import { grantAllCommand, grantDaysCommand } from './periods.ts';
import { refundOrderCommand } from './order-refund.ts';
import { findOrdersCommand, showOrderCommand } from './orders.ts';
import { offersCommand } from './offers.ts';
import { listOutboxCommand, retryOutboxCommand, clearBounceCommand, showBounceCommand } from './outbox.ts';
import { heldRenewalsCommand, listRenewalsCommand, releaseRenewalsCommand, stopRenewalCommand } from './renewals.ts';
import { reconcileCommand } from './reconcile/reconcile.ts';
import { reportCommand } from './report.ts';
import { endAllSessions, restoredCommand } from './restored-rows.ts';
import { ssoKeyCommand, ssoTokenCommand } from './sso-token.ts';
import { listTasksCommand } from './tasks.ts';
import { proofCommand, reviewCommand, sentTransferCommand, transfersCommand } from './transfers.ts';
import { listWebhooksCommand, testAlertsCommand, testWebhooksCommand, webhookSecretCommand } from './webhooks.ts';
import { discardWebhooksCommand, replayWebhooksCommand } from './replay-webhooks.ts';
import { counted } from './wording.ts';
import { listWithdrawalsCommand, refundedWithdrawalCommand, refuseWithdrawalCommand } from './withdrawals.ts';
import { compareSigningSecret, replaceSigningSecret } from '#server/db/lock.ts';
import { auditOptions, writeAudit, auditCommand } from './audit.ts';

/** Lets processes start with another `SIGNING_SECRET`, the one in the environment of this command. */
const replaceSecretCommand: ShopCommand = {
  name: 'signing-secret replace',
  summary: 'makes the SIGNING_SECRET of this environment the one that all processes have to start with',
  replacesSecret: true,
  options: {
    'end-sessions': { summary: 'also ends the sessions of all customers, because the old secret leaked' },
    ...auditOptions,
  },
  inShop: async (given, { deps, done }) => {
    if (deps.env.DATABASE_URL === undefined)
      throw new OperatorError('A demo has one process, which may start with any SIGNING_SECRET.');
    const endsSessions = hasOption(given, 'end-sessions');
    const isSame = (await compareSigningSecret(deps.db, deps.env)) === 'same';
    if (isSame && !endsSessions) {
      done('This SIGNING_SECRET is recorded already; nothing has changed.', { changed: false });
      return;
    }
    const sessions = await deps.db.transaction(async (tx) => {
      if (!isSame) await replaceSigningSecret(tx, deps.env, deps.clock());
      const ended = endsSessions ? await endAllSessions(tx, deps.clock()) : 0;
      await writeAudit(tx, given, { command: 'signing-secret replace', detail: { sessions: ended } }, deps);
      return ended;
    });
    const then = 'Quotes, codes and known devices of before have ended';
    done(
      `Processes start with this SIGNING_SECRET from now on. ${then}${endsSessions ? `, and ${counted(sessions, 'session')}` : ''}.`,
      { changed: !isSame, sessions },
    );
  },
};

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  newBrandCommand,
  checkBrandCommand,
  previewBrandCommand,
  applyBrandCommand,
  exportBrandCommand,
  listBrandsCommand,
  retireBrandCommand,
  listTasksCommand,
  findCustomersCommand,
  showCustomerCommand,
  setTypeCommand,
  blockCommand,
  unblockCommand,
  signOutCommand,
  removePhoneCommand,
  requireResetCommand,
  bindEmailCommand,
  endWaitCommand,
  exportCustomerCommand,
  deleteCommand,
  keepCommand,
  listOrdersCommand,
  findOrdersCommand,
  showOrderCommand,
  cancelOrderCommand,
  refundOrderCommand,
  resendReceiptCommand,
  resendMessageCommand,
  listDisputesCommand,
  grantDaysCommand,
  grantAllCommand,
  listWithdrawalsCommand,
  refundedWithdrawalCommand,
  refuseWithdrawalCommand,
  orphansCommand,
  unknownPaymentsCommand,
  doneOrderCommand,
  stopRenewalCommand,
  listRenewalsCommand,
  heldRenewalsCommand,
  releaseRenewalsCommand,
  transfersCommand,
  proofCommand,
  reviewCommand,
  sentTransferCommand,
  listCouponsCommand,
  createCouponCommand,
  generateCouponsCommand,
  giveCouponCommand,
  endCouponCommand,
  offersCommand,
  listOutboxCommand,
  retryOutboxCommand,
  showBounceCommand,
  clearBounceCommand,
  listWebhooksCommand,
  replayWebhooksCommand,
  discardWebhooksCommand,
  testWebhooksCommand,
  testAlertsCommand,
  webhookSecretCommand,
  auditCommand,
  reconcileCommand,
  reportCommand,
  listInvoicesCommand,
  issueInvoicesCommand,
  showInvoiceCommand,
  doctorCommand,
  restoredCommand,
  replaceSecretCommand,
  ssoKeyCommand,
  ssoTokenCommand,
];
