/** Methods of the demo brands that are paid in the same way, by their codes: what help says of one, it says of all. */
export const wallets = ['yoomoney', 'alipay'];
export const transfers = ['paynow', 'caishen'];
export const mobileMoney = ['mpesa', 'orange', 'free', 'mtn', 'airtel', 'zamtel', 'tnm'];
/** Those whose money is there within the hour. */
export const soon = ['card', 'pix', 'paypal', ...wallets, ...mobileMoney];
