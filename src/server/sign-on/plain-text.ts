/** A stranger's text as a person may be shown it: nothing that turns or hides the text around it, and cut between characters. */
export function plainText(text: string, maxLength: number): string {
  const plain = text.replaceAll(/\p{C}/gu, ' ').trim();
  // a cut in the middle of a pair leaves half a character, which nothing can store
  return plain.slice(0, maxLength).replace(/\p{Cs}$/u, '');
}
