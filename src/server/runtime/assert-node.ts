const oldest = 24;

/** Exits with a clear message on an unsupported version of Node. */
export function assertNode(version: string = process.versions.node): void {
  if (Number(version.split('.')[0]) >= oldest) return;
  process.stderr.write(
    `Marquee needs Node ${oldest} or newer, and this is ${version}. "npm start" brings its own; "npm install" fetches it.\n`,
  );
  process.exit(1);
}
