import { parseSync, type Rolldown } from 'vite';

type Context = Pick<Rolldown.PluginContext, 'getModuleInfo' | 'resolve'>;
type Records = ReturnType<typeof parseSync>['module'];

/** A name of another module; `*` is all of it. */
interface Wanted {
  readonly from: string;
  readonly name: string;
}

/**
 * Which modules a module needs, name by name. One that only passes on what others have is seen through to where the names
 * come from: otherwise whoever needs one icon would need all of them.
 */
export class ModuleGraph {
  readonly #context: Context;
  readonly #needed = new Map<string, readonly string[]>();
  readonly #records = new Map<string, Records | undefined>();
  readonly #resolved = new Map<string, string | undefined>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Adds the module to `found`, with all that it needs before it can run. */
  async reach(id: string, found: Set<string>): Promise<Set<string>> {
    if (found.has(id)) return found;
    found.add(id);
    for (const needed of await this.#neededBy(id)) await this.reach(needed, found);
    return found;
  }

  async #neededBy(id: string): Promise<readonly string[]> {
    const known = this.#needed.get(id);
    if (known) return known;
    const needed = new Set<string>();
    for (const { from, name } of await this.#wantedBy(id)) needed.add(await this.#home(from, name));
    this.#needed.set(id, [...needed]);
    return [...needed];
  }

  /** What the code of a module takes from others. */
  async #wantedBy(id: string): Promise<Wanted[]> {
    const records = this.#of(id);
    const taken = records ? takenBy(records) : [];
    const wanted: Wanted[] = [];
    for (const { from, name } of taken) {
      const target = await this.#resolve(from, id);
      if (target !== undefined) wanted.push({ from: target, name });
    }
    return wanted;
  }

  /** The module that a name of this one really comes from. */
  async #home(id: string, name: string, seen: ReadonlySet<string> = new Set()): Promise<string> {
    const records = this.#of(id);
    if (!records || name === '*' || seen.has(id) || !hasNothingOfItsOwn(records)) return id;
    const passed = passedOn(records, name);
    for (const { from, name: its } of passed) {
      const target = await this.#resolve(from, id);
      if (target === undefined) continue;
      if (its !== '*' || passed.length === 1)
        return this.#home(target, its === '*' ? name : its, new Set([...seen, id]));
      if (await this.#has(target, name, new Set([id]))) return this.#home(target, name, new Set([...seen, id]));
    }
    return id;
  }

  async #has(id: string, name: string, seen: Set<string>): Promise<boolean> {
    const records = this.#of(id);
    if (!records || seen.has(id)) return false;
    seen.add(id);
    if (exportsOf(records).some((one) => one.exportName.name === name)) return true;
    for (const { from, name: its } of passedOn(records, name)) {
      const target = its === '*' ? await this.#resolve(from, id) : undefined;
      if (target !== undefined && (await this.#has(target, name, seen))) return true;
    }
    return false;
  }

  #of(id: string): Records | undefined {
    if (!this.#records.has(id)) {
      const code = this.#context.getModuleInfo(id)?.code;
      this.#records.set(id, code ? parseSync('module.js', code).module : undefined);
    }
    return this.#records.get(id);
  }

  async #resolve(specifier: string, importer: string): Promise<string | undefined> {
    const key = `${importer}\n${specifier}`;
    if (!this.#resolved.has(key)) {
      const found = await this.#context.resolve(specifier, importer);
      this.#resolved.set(key, found && !found.external ? found.id : undefined);
    }
    return this.#resolved.get(key);
  }
}

/** All that it exports is another's, and it imports nothing for the effect alone. */
function hasNothingOfItsOwn(records: Records): boolean {
  const imported = records.staticImports.flatMap(({ entries }) => entries.map(({ localName }) => localName.value));
  return (
    records.staticImports.every(({ entries }) => entries.length > 0) &&
    exportsOf(records).every(({ moduleRequest, localName }) => moduleRequest ?? imported.includes(localName.name ?? ''))
  );
}

const exportsOf = ({ staticExports }: Records) => staticExports.flatMap(({ entries }) => entries);

/** `import` and `export … from`, name by name; an import for its effect alone is all of the module. */
function takenBy(records: Records): Wanted[] {
  const imported = records.staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.length === 0
      ? [{ from: moduleRequest.value, name: '*' }]
      : entries.map(({ importName }) => ({ from: moduleRequest.value, name: nameOf(importName) })),
  );
  const exported = exportsOf(records).flatMap(({ moduleRequest, importName }) =>
    moduleRequest ? [{ from: moduleRequest.value, name: nameOf(importName) }] : [],
  );
  return [...imported, ...exported];
}

/** Where a name that a module exports may come from: one place by its name, or each of those that it passes on whole. */
function passedOn(records: Records, name: string): Wanted[] {
  const entries = exportsOf(records);
  const own = entries.find((one) => one.exportName.name === name);
  if (!own)
    return entries.flatMap(({ moduleRequest, exportName }) =>
      moduleRequest && exportName.kind === 'None' ? [{ from: moduleRequest.value, name: '*' }] : [],
    );
  return own.moduleRequest ? [{ from: own.moduleRequest.value, name: nameOf(own.importName) }] : [];
}

function nameOf({ kind, name }: { readonly kind: string; readonly name?: string | null | undefined }): string {
  if (kind === 'Default') return 'default';
  return kind === 'Name' && name ? name : '*';
}
