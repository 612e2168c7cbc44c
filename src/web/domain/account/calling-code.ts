/** A brand's calling code, digits only. For a Caribbean brand, whose code includes the area (`1809`), it is `1`. */
export const callingCodeOf = (brandCode: string): string => brandCode.replaceAll(/\D/g, '').replace(/^1\d{3}$/, '1');
