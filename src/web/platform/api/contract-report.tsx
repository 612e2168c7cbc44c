import * as v from 'valibot';
import type { Endpoint } from '#contract/endpoint.ts';
import { envelopeSchema, refusalCode } from '#contract/envelope.ts';
import { requestTimeoutMs } from '#contract/limits.ts';
import { createStore, useStore } from '#web/ui/store.ts';
import type { ApiError } from './api-error.ts';
import type { Answer } from './exchange.ts';
import styles from './contract-report.module.css';

/**
 * Explains wrong answers to the developer of a backend, in the console and on the error page. Loaded only while that is
 * switched on (`debug-key.ts`). The texts are not translated: their reader writes a backend by an English description,
 * and compares them with it.
 */

type Schema = v.GenericSchema<unknown, unknown>;
type Issue = v.BaseIssue<unknown>;

const mostReports = 20;
const mostIssues = 20;
const mostCharacters = 60;

const reports = createStore<readonly string[]>([]);

/** Writes what is wrong to the console, and gives it to the error page. Repeated answers are written once. */
export function reportFailure(endpoint: Endpoint, error: ApiError, answer: Answer | undefined): void {
  const text = describeFailure(endpoint, error, answer);
  if (text === undefined) return;
  error.report = <ContractReport />;
  if (reports.get().includes(text)) return;
  reports.set([...reports.get(), text].slice(-mostReports));
  // oxlint-disable-next-line eslint/no-console -- it is requested by the developer of a backend
  console.error(text);
}

/** Every wrong answer since the page was loaded: the first one may be the cause of the others. */
function ContractReport() {
  const texts = useStore(reports, reports.get());
  return (
    <details open lang="en" dir="ltr" translate="no" className={styles.report}>
      <summary>For the developer of the API</summary>
      <pre>{texts.join('\n\n')}</pre>
    </details>
  );
}

/** Undefined for a refusal that the contract knows, and for an answer that is no longer needed. */
function describeFailure(endpoint: Endpoint, error: ApiError, answer: Answer | undefined): string | undefined {
  const call = `${endpoint.name} (${endpoint.method} ${endpoint.path})`;
  if (!answer) return describeSilence(call, error);
  const { status, json, type } = answer;
  const http = `HTTP ${status}, ${cut(type) || 'without a content type'}`;
  const envelope = v.safeParse(envelopeSchema, json);
  if (!envelope.success) {
    if (isMissing(answer)) return `The backend does not answer ${call}: ${http}`;
    if (json === undefined) return `The answer to ${call} is not JSON: ${http}`;
    return withIssues(`The answer to ${call} has no valid envelope: ${http}`, envelope.issues, [], envelopeSchema);
  }
  const code = refusalCode(envelope.output);
  if (code !== undefined)
    return error.reason
      ? undefined
      : `The answer to ${call} has a code that the contract does not have, ${code}: ${http}`;
  if (error.kind === 'http') return `The answer to ${call} is a success with a failing status: ${http}`;
  return describeResult(`The answer to ${call} does not fit the contract: ${http}`, endpoint, envelope.output);
}

function describeSilence(call: string, { lost }: ApiError): string | undefined {
  if (lost === 'timeout') return `The backend does not answer ${call} within ${requestTimeoutMs / 1000} seconds`;
  if (lost !== 'unreachable') return undefined;
  return `The backend does not answer ${call}: no connection, or the browser refuses the answer (CORS)`;
}

/** A web server that does not know the path sends a page, or JSON of its framework. */
const isMissing = ({ status, html }: Answer) => html || status === 404 || status === 405 || status === 501;

function describeResult(text: string, { result, payload }: Endpoint, envelope: Record<string, unknown>) {
  const parsed = v.safeParse(result, envelope[payload] ?? {});
  if (parsed.success) return undefined;
  if (envelope[payload] == null) return `${text}\n  ${payload}: expected ${cut(result.expects)}, but it is missing`;
  return withIssues(text, parsed.issues, [payload], result);
}

function withIssues(text: string, issues: readonly Issue[], above: readonly string[], schema: Schema): string {
  const shown = issues.slice(0, mostIssues).map((issue) => {
    const keys = (issue.path ?? []).map(({ key }) => key);
    return `\n  ${pathOf([...above, ...keys])}: ${differenceOf(issue, keys, schema)}`;
  });
  const more = issues.length - shown.length;
  return text + shown.join('') + (more > 0 ? `\n  and ${more} more` : '');
}

/** Such as `data.plans[3].price.amount`. */
const pathOf = (keys: readonly unknown[]) =>
  keys
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index ? '.' : ''}${cut(String(key))}`))
    .join('') || 'the answer';

/** Describes the expected and the received value. */
function differenceOf(issue: Issue, keys: readonly unknown[], schema: Schema): string {
  const isRule = issue.kind === 'validation';
  const { expected, input } = issue;
  if (!isRule && input === undefined)
    return `expected ${cut(schemaAt(schema, keys)?.expects ?? 'a value')}, but it is missing`;
  const rule = isRule ? `${issue.type.replaceAll('_', ' ')} ${expected ?? ''}`.trim() : (expected ?? 'another value');
  return `expected ${cut(rule)}, received ${receivedOf(issue)}`;
}

/**
 * A text may be a token or belong to a customer, so only its length is shown. A word in the place of an enumeration is
 * shown: it is a value that the developer has to rename. Numbers, booleans and types are short and say no secrets.
 */
function receivedOf({ input, type, received }: Issue): string {
  if (typeof input !== 'string') return cut(received);
  const isWord = /^(?:picklist|literal|variant)$/.test(type) && /^[a-z][\w-]{0,23}$/i.test(input);
  return isWord ? `"${input}"` : `a text of length ${input.length}`;
}

const cut = (text: string) => (text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text);

interface Parts {
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly item?: Schema;
  readonly value?: Schema;
  readonly wrapped?: Schema;
}

/** The parts of a schema, without what makes it optional. */
function partsOf(schema: Schema | undefined): Parts {
  const parts = (schema ?? {}) as Parts; // as: a schema has some of these, by its type
  return parts.wrapped ? partsOf(parts.wrapped) : parts;
}

/** The schema of a field, which the issue of a missing field does not name. */
function schemaAt(schema: Schema, keys: readonly unknown[]): Schema | undefined {
  return keys.reduce<Schema | undefined>((at, key) => {
    const { entries, item, value } = partsOf(at);
    return entries?.[String(key)] ?? item ?? value;
  }, schema);
}
