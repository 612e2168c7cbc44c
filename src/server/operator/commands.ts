import { auditCommand } from './audit-list.ts';
import { clearBounceCommand, showBounceCommand } from './bounces.ts';
import { applyBrandCommand, checkBrandCommand, previewBrandCommand } from './brand-folders.ts';
import { newBrandCommand } from './brand-new.ts';
import { exportBrandCommand, listBrandsCommand, retireBrandCommand } from './brands.ts';
import type { Command } from './command.ts';
import { createCouponCommand, endCouponCommand, giveCouponCommand, listCouponsCommand } from './coupons.ts';
import { exportCustomerCommand, findCustomersCommand, showCustomerCommand } from './customer-desk.ts';
import {
  bindEmailCommand,
  blockCommand,
  deleteCommand,
  requireResetCommand,
  setTypeCommand,
  signOutCommand,
  unblockCommand,
} from './customers.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { offersCommand } from './offers.ts';
import { orphansCommand, unknownPaymentsCommand } from './orphans.ts';
import { cancelOrderCommand } from './order-changes.ts';
import { refundOrderCommand } from './order-refund.ts';
import { findOrdersCommand, showOrderCommand } from './orders.ts';
import { listOutboxCommand, retryOutboxCommand } from './outbox.ts';
import { heldRenewalsCommand, releaseRenewalsCommand } from './renewals.ts';
import { reportCommand } from './report.ts';
import { restoredCommand } from './restore.ts';
import { replaceSecretCommand } from './signing-secret.ts';
import { ssoKeyCommand, ssoTokenCommand } from './sso-token.ts';
import { proofCommand, reviewCommand, transfersCommand } from './transfers.ts';
import { listWithdrawalsCommand, refundedWithdrawalCommand, refuseWithdrawalCommand } from './withdrawals.ts';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  newBrandCommand,
  checkBrandCommand,
  previewBrandCommand,
  applyBrandCommand,
  exportBrandCommand,
  listBrandsCommand,
  retireBrandCommand,
  findCustomersCommand,
  showCustomerCommand,
  setTypeCommand,
  blockCommand,
  unblockCommand,
  signOutCommand,
  requireResetCommand,
  bindEmailCommand,
  exportCustomerCommand,
  deleteCommand,
  findOrdersCommand,
  showOrderCommand,
  cancelOrderCommand,
  refundOrderCommand,
  listWithdrawalsCommand,
  refundedWithdrawalCommand,
  refuseWithdrawalCommand,
  orphansCommand,
  unknownPaymentsCommand,
  heldRenewalsCommand,
  releaseRenewalsCommand,
  transfersCommand,
  proofCommand,
  reviewCommand,
  listCouponsCommand,
  createCouponCommand,
  giveCouponCommand,
  endCouponCommand,
  offersCommand,
  listOutboxCommand,
  retryOutboxCommand,
  showBounceCommand,
  clearBounceCommand,
  auditCommand,
  reportCommand,
  doctorCommand,
  restoredCommand,
  replaceSecretCommand,
  ssoKeyCommand,
  ssoTokenCommand,
];
