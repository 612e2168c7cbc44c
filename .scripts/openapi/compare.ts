import { isDeepStrictEqual } from 'node:util';

/**
 * Compares two descriptions of the contract. Backends of other operators answer the calls, the storefront and apps send
 * them, and each side may be older than the other. A change is compatible if both directions work: the released
 * storefront with a new backend, and a new storefront with a released backend.
 *
 * | part | compatible | incompatible |
 * | --- | --- | --- |
 * | calls | added in a capability (tag) that is new as well | any other added one; removed, renamed, of another tag |
 * | requests | a header that is not required; a field that is not required, where others are allowed | all else |
 * | results | added, if it is not required | added as required, removed, required or not, another type |
 * | values | none | enum, pattern, length, range, format or default, wider or narrower |
 * | refusals | another HTTP status: the storefront shows every code | another shape |
 * | security | none | stricter (apps) or looser (backends) |
 *
 * Wider is incompatible too: of a result for a released app, of a request for a released backend. Texts and examples do
 * not count. Own code, because the packages know one direction: of 17 changes `api-smart-diff` 1.0.6 called a stricter
 * security, a new pattern and two narrower results compatible, and `openapi-diff` 0.24.1 refuses OpenAPI 3.1.
 */
export interface Change {
  /** the call or schema with the path of its field, such as `listPlans.data.plans` */
  readonly name: string;
  readonly text: string;
  readonly isCompatible: boolean;
}

type Json = Readonly<Record<string, unknown>>;
type Direction = 'request' | 'result';
/** Released and current. */
type Pair = readonly [Json, Json];

const texts = new Set(['description', 'summary', 'title', 'example', 'examples', '$comment', 'externalDocs']);
const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const nested = new Set(['items', 'additionalProperties', 'propertyNames', 'contains', 'not']);

// as: JSON; whatever is no object has no members
const objectOf = (value: unknown) => (typeof value === 'object' && value !== null ? value : {}) as Json;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const union = (...objects: readonly Json[]) => [...new Set(objects.flatMap((one) => Object.keys(one)))];
/** The order of these lists has no meaning. */
const sorted = (value: unknown) =>
  listOf(value)
    .map((one) => JSON.stringify(one))
    .toSorted();
const same = (one: unknown, other: unknown) =>
  Array.isArray(one) && Array.isArray(other)
    ? isDeepStrictEqual(sorted(one), sorted(other))
    : isDeepStrictEqual(one, other);

/** Every call by its path and method. */
function callsOf({ paths }: Json): Json {
  const pairs = Object.entries(objectOf(paths)).flatMap(([path, item]) =>
    Object.entries(objectOf(item)).map(([method, call]) => [`${path} ${method}`, call] as const),
  );
  return Object.fromEntries(pairs);
}

/** Required fields without a description may have any value. */
const fieldsOf = ({ properties, required }: Json): Json => ({
  ...Object.fromEntries(listOf(required).map((name) => [String(name), {}] as const)),
  ...objectOf(properties),
});

/** Whether a schema is one of those with a name, without rules of its own beside it. */
const isReference = (value: unknown) =>
  '$ref' in objectOf(value) && Object.keys(objectOf(value)).every((word) => word === '$ref' || texts.has(word));

/** A schema as an object: `true` allows everything, `false` nothing. A constant is an enumeration of one value. */
function schemaOf({ const: constant, ...rest }: Json, original: unknown): Json {
  if (original === false) return { not: {} };
  return constant === undefined ? rest : { ...rest, enum: [constant] };
}

class Comparison {
  readonly changes = new Map<string, Change>();
  readonly #documents: Pair;
  readonly #compared = new Set<string>();

  constructor(...documents: Pair) {
    this.#documents = documents;
  }

  #add(isCompatible: boolean, name: string, text: string): void {
    this.changes.set(`${name} ${text}`, { name, text, isCompatible });
  }

  /** Follows a reference inside of the description; JSON Schema allows words beside it. */
  #resolve(value: unknown, side: number): Json {
    const { $ref, ...beside } = objectOf(value);
    if (typeof $ref !== 'string') return objectOf(value);
    const [, ...keys] = $ref.split('/');
    const found = keys.reduce<unknown>((at, key) => objectOf(at)[key], this.#documents[side]);
    return { ...this.#resolve(found, side), ...beside };
  }

  #expectSame(name: string, what: string, one: unknown, other: unknown): void {
    if (same(one, other)) return;
    const [before, after] = [one, other].map((value) => JSON.stringify(value) ?? 'nothing');
    this.#add(false, name, `${what} was ${before}, and is ${after}`);
  }

  compare(): void {
    const [released, current] = this.#documents;
    this.#expectSame('servers', 'the address', released['servers'], current['servers']);
    const [scheme, schemeNow] = this.#documents.map((one) => objectOf(one['components'])['securitySchemes']);
    this.#expectSame('security', 'the scheme', scheme, schemeNow);
    const [before, after] = [callsOf(released), callsOf(current)];
    const tags = new Set(Object.values(before).flatMap((call) => listOf(objectOf(call)['tags'])));
    for (const address of union(before, after)) {
      const [one, other] = [objectOf(before[address]), objectOf(after[address])];
      const name = String(one['operationId'] ?? other['operationId']);
      const own = listOf(other['tags']);
      if (!before[address]) this.#add(own.length > 0 && !own.some((tag) => tags.has(tag)), name, 'the call is added');
      else if (after[address]) this.#call(name, [one, other]);
      else this.#add(false, name, 'the call is removed');
    }
  }

  #call(name: string, [one, other]: Pair): void {
    this.#expectSame(name, 'the name', one['operationId'], other['operationId']);
    this.#expectSame(name, 'the session', one['security'], other['security']);
    if (one['tags']) this.#expectSame(name, 'the capability', one['tags'], other['tags']);
    this.#parameters(name, [one, other]);
    const [body, bodyNow] = [this.#resolve(one['requestBody'], 0), this.#resolve(other['requestBody'], 1)];
    this.#expectSame(name, 'whether a body is required', body['required'], bodyNow['required']);
    this.#content(`${name}.body`, [body, bodyNow], 'request');
    this.#responses(name, [objectOf(one['responses']), objectOf(other['responses'])]);
  }

  #parameters(name: string, calls: Pair): void {
    const [before = {}, after = {}] = calls.map((call, side) => {
      const all = listOf(call['parameters']).map((one) => this.#resolve(one, side));
      return Object.fromEntries(all.map((one) => [`${String(one['in'])} ${String(one['name'])}`, one]));
    });
    for (const key of union(before, after)) {
      const [one, other] = [before[key], after[key]];
      const at = `${name}.${key.split(' ')[1]}`;
      // servers ignore headers that they do not know, and refuse other parameters
      const isFree = key.startsWith('header ') && !(one ?? other)?.['required'];
      if (!one || !other) this.#add(isFree, at, `the ${key.split(' ')[0]} is ${one ? 'removed' : 'added'}`);
      else {
        this.#expectSame(at, 'whether it is required', one['required'], other['required']);
        this.#schema(at, one['schema'], other['schema'], 'request');
      }
    }
  }

  #responses(name: string, [before, after]: Pair): void {
    for (const status of union(before, after)) {
      const isResult = status.startsWith('2');
      if (!before[status] || !after[status]) {
        this.#add(!isResult, name, `the status ${status} is ${before[status] ? 'removed' : 'added'}`);
        continue;
      }
      const [one, other] = [this.#resolve(before[status], 0), this.#resolve(after[status], 1)];
      this.#content(isResult ? name : `${name}.${status}`, [one, other], 'result');
      const missing = Object.keys(objectOf(one['headers'])).filter((key) => !(key in objectOf(other['headers'])));
      for (const key of missing) this.#add(false, name, `the header ${key} is removed`);
    }
  }

  #content(name: string, parts: Pair, direction: Direction): void {
    const [before, after] = [objectOf(parts[0]['content']), objectOf(parts[1]['content'])];
    this.#expectSame(name, 'the media types', Object.keys(before), Object.keys(after));
    for (const type of Object.keys(before))
      this.#schema(name, objectOf(before[type])['schema'], objectOf(after[type])['schema'], direction);
  }

  /** Changes in a schema that has a name are reported under that name, once for each direction. */
  #schema(name: string, one: unknown, other: unknown, direction: Direction): void {
    const key = JSON.stringify([one, other, direction]);
    const isNamed = isReference(one) && isReference(other) && objectOf(one)['$ref'] === objectOf(other)['$ref'];
    if ('$ref' in objectOf(one) && this.#compared.has(key)) return;
    this.#compared.add(key);
    const at = isNamed ? String(objectOf(other)['$ref']).replace(/.*\//, '') : name;
    const [before, after] = [schemaOf(this.#resolve(one, 0), one), schemaOf(this.#resolve(other, 1), other)];
    this.#fields(at, [before, after], direction);
    for (const word of union(before, after)) {
      if (texts.has(word) || word.startsWith('x-') || word === 'properties' || word === 'required') continue;
      const [was, is] = [before[word], after[word]];
      if (lists.has(word)) this.#alternatives(at, word, [listOf(was), listOf(is)], direction);
      else if (nested.has(word) && was !== undefined && is !== undefined) this.#schema(at, was, is, direction);
      else this.#expectSame(at, word, was, is);
    }
  }

  #fields(at: string, [one, other]: Pair, direction: Direction): void {
    const [before, after] = [fieldsOf(one), fieldsOf(other)];
    for (const field of union(before, after)) {
      const name = `${at}.${field}`;
      const [was, is] = [one, other].map((schema) => listOf(schema['required']).includes(field));
      if (!(field in before)) {
        const isAccepted = direction === 'result' || one['additionalProperties'] !== false;
        this.#add(isAccepted && !is, name, `the ${is ? 'required ' : ''}field of a ${direction} is added`);
      } else if (!(field in after)) {
        const isAccepted = direction === 'request' && !was && other['additionalProperties'] !== false;
        this.#add(isAccepted, name, `the field of a ${direction} is removed`);
      } else {
        this.#expectSame(name, 'whether it is required', was, is);
        this.#schema(name, before[field], after[field], direction);
      }
    }
  }

  /** Those that differ are compared in their order. */
  #alternatives(at: string, word: string, pair: readonly (readonly unknown[])[], direction: Direction): void {
    const [before = [], after = []] = pair;
    const isIn = (all: readonly unknown[]) => (one: unknown) => all.some((other) => isDeepStrictEqual(one, other));
    const [gone, come] = [before.filter((one) => !isIn(after)(one)), after.filter((one) => !isIn(before)(one))];
    if (before.length !== after.length) this.#expectSame(at, word, before, after);
    else gone.forEach((one, index) => this.#schema(at, one, come[index], direction));
    // the same text of a reference may name another schema
    for (const one of before.filter(isIn(after))) this.#schema(at, one, one, direction);
  }
}

/** Every change from the released to the current description that is more than a text. */
export function compareApis(released: object, current: object): Change[] {
  const comparison = new Comparison(objectOf(released), objectOf(current));
  comparison.compare();
  return [...comparison.changes.values()];
}
