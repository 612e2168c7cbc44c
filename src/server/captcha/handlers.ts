/** The captcha calls. */
export const captchaHandlers = {};
