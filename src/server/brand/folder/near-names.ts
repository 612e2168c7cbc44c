/** The longest text that is compared with names. */
const longest = 40;

/** The nearest known name to one that was probably meant; undefined where none is near. */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  const small = given.toLowerCase();
  const names = [...known];
  const general = names.find((name) => small.startsWith(`${name.toLowerCase()}-`));
  if (general !== undefined) return general;
  const most = given.length > longest ? 0 : Math.max(1, Math.floor(given.length / 3));
  const near = names
    .filter((name) => Math.abs(name.length - given.length) <= most)
    .map((name) => ({ name, distance: editDistance(small, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.name;
}

/** A question for the end of a sentence; empty where no known name is near. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const name = nearestName(given, known);
  return name === undefined ? '' : `; did you mean ${name}?`;
}

/** The number of letters that differ between two names (Levenshtein). */
function editDistance(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of one.split('').entries()) {
    const line = [row + 1];
    for (const [column, own] of other.split('').entries()) {
      const replaced = (before[column] ?? 0) + (letter === own ? 0 : 1);
      line.push(Math.min(replaced, (before[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1));
    }
    before = line;
  }
  return before.at(-1) ?? 0;
}
