const oldest = 24;

/** Ends the process with a plain sentence on a Node that cannot run this. */
export function assertNode(version: string = process.versions.node): void {
  if (Number(version.split('.')[0]) >= oldest) return;
  process.stderr.write(
    `Marquee needs Node ${oldest} or newer, and this is ${version}. "npm start" brings its own; "npm install" fetches it.\n`,
  );
  process.exit(1);
}
