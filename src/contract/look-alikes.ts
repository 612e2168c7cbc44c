/** Capital letters of other scripts that look like one of A to Z (Unicode Technical Standard 39, confusables). */
const lookAlikes: Readonly<Record<string, string>> = {
  ...pairs('АВЕЅІӀЈКМНҺОРСТУХҮԜԚѴԌԀ', 'ABESIIJKMHHOPCTYXYWQVGD'),
  ...pairs('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧͿ', 'ABEZHIKMNOPTYXJ'),
};

function pairs(letters: string, latin: string): Record<string, string> {
  return Object.fromEntries(Array.from(letters).map((letter, index) => [letter, latin[index] ?? '']));
}

/** The Greek sigma that looks like a C, which Unicode's normal forms turn into one that does not: to be called before them. */
export const withLunateSigma = (text: string): string => text.replace(/[\u03F2\u03F9]/g, 'C');

/** Capitals with Latin letters in the place of those of Cyrillic and Greek that look the same. */
export const withLatinLetters = (capitals: string): string =>
  capitals.replace(/[^\p{ASCII}]/gu, (letter) => lookAlikes[letter] ?? letter);
