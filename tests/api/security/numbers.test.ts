import { describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import * as endpoints from '#contract/index.ts';

/** The parts of valibot schemas that are needed to traverse them. */
interface Node {
  readonly type: string;
  readonly pipe?: readonly Node[];
  readonly entries?: Readonly<Record<string, Node>>;
  readonly wrapped?: Node;
  readonly item?: Node;
  readonly value?: Node | number;
  readonly options?: readonly Node[];
}

/** All numbers in a schema by path, with their checks. */
function numbersIn(node: Node, path: string): { path: string; checks: string[] }[] {
  const own = node.type === 'number' ? [{ path, checks: (node.pipe ?? []).map(({ type }) => type) }] : [];
  const inside: [string, Node][] = [
    ...Object.entries(node.entries ?? {}),
    ...(node.options ?? []).flatMap((one): [string, Node][] => (typeof one === 'object' ? [['|', one]] : [])),
    ...[node.wrapped, node.item, typeof node.value === 'object' ? node.value : undefined].flatMap(
      (one): [string, Node][] => (one ? [['', one]] : []),
    ),
    ...(node.pipe ?? []).slice(1).flatMap((one): [string, Node][] => (isSchema(one) ? [['', one]] : [])),
  ];
  return [...own, ...inside.flatMap(([name, one]) => numbersIn(one, `${path}.${name}`))];
}

const isSchema = (node: Node) =>
  Boolean(node.entries ?? node.wrapped ?? node.item ?? node.options) || node.type === 'number';

describe('a number in a request', () => {
  const numbers = Object.values<Endpoint>(endpoints).flatMap((endpoint) =>
    (['params', 'query', 'body'] as const).flatMap((part) => {
      const schema = endpoint[part];
      return schema ? numbersIn(schema, `${endpoint.name}.${part}`) : [];
    }),
  );

  it('is found in every endpoint', () => {
    expect(numbers.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['orders.body.page', 'pay.body.installments']),
    );
  });

  it('is an integer with a minimum and a maximum, so that calculations with it cannot overflow', () => {
    const loose = numbers.filter(
      ({ checks }) =>
        !(checks.includes('integer') || checks.includes('safe_integer')) ||
        !checks.includes('min_value') ||
        !checks.includes('max_value'),
    );
    expect(loose.map(({ path }) => path)).toEqual([]);
  });
});
