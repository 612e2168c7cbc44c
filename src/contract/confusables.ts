/** Capital letters of other scripts that look like one of A to Z (Unicode Technical Standard 39, confusables). */
const lookAlikes: Readonly<Record<string, string>> = {
  ...pairs('АВЕЅІӀЈКМНҺОРСТУХҮԜԚѴԌԀ', 'ABESIIJKMHHOPCTYXYWQVGD'),
  ...pairs('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧͿ', 'ABEZHIKMNOPTYXJ'),
};

function pairs(letters: string, latin: string): Record<string, string> {
  return Object.fromEntries(Array.from(letters).map((letter, index) => [letter, latin[index] ?? '']));
}

/**
 * Replaces the lunate sigma, which looks like a C. Call it before Unicode normalization, which turns it into another
 * sigma.
 */
export const withLunateSigma = (text: string): string => text.replace(/[\u03F2\u03F9]/g, 'C');

/** Replaces Cyrillic and Greek capitals by the Latin letters that look the same. */
export const withLatinLetters = (capitals: string): string =>
  capitals.replace(/[^\p{ASCII}]/gu, (letter) => lookAlikes[letter] ?? letter);
