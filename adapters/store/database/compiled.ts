import type { Compilable, CompiledQuery } from 'kysely';
import type { Write } from './write-batch.ts';

/** The place of a value in a query that is compiled before the value is known. */
class Placeholder {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/**
 * Returns a function that runs a query with the given values and returns its first row, or undefined when it has none.
 * The query is compiled only once, because Kysely takes longer to compile a query than SQLite takes to run it.
 *
 * @param run - runs the compiled query
 * @param build - makes the query, with `value(name)` in place of each value
 */
export function compileOnce<Values extends object, Row>(
  run: Write,
  build: (value: <Name extends keyof Values>(name: Name) => Values[Name]) => Compilable<Row>,
): (values: Values) => Promise<Row | undefined> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (values) => {
    // The query is only compiled here, so that no code reads a placeholder as the value that its column asks for.
    compiled ??= build((name) => new Placeholder(name) as never).compile();
    const parameters = compiled.parameters.map((one) =>
      one instanceof Placeholder ? values[one.name as keyof Values] : one,
    );
    const [row] = await run<Row>({ ...compiled, parameters });
    return row;
  };
}
