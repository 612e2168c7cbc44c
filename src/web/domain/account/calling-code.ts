/** A brand's calling code, digits only: of a brand in the Caribbean, whose code has the area as well (`1809`), it is `1`. */
export const callingCodeOf = (brandCode: string): string => brandCode.replaceAll(/\D/g, '').replace(/^1\d{3}$/, '1');
