/** The types of what the page uses of Swagger UI, which has none of its own. Its data are maps and lists of Immutable.js. */

/** A map with known members. */
export interface Fields<T> {
  get<K extends keyof T>(name: K): T[K];
  getIn(path: readonly (string | undefined)[]): unknown;
  has(name: keyof T): boolean;
  update<K extends keyof T>(name: K, change: (value: T[K]) => T[K]): this;
  delete(name: keyof T): this;
}

/** A list, or a map from names to items. */
export interface Items<T, K = string> extends Iterable<T> {
  readonly size: number;
  get(key: K | number): T | undefined;
  delete(key: K): this;
  some(test: (item: T) => boolean): boolean;
  find(test: (item: T) => boolean): T | undefined;
  filter(test: (item: T, key: K) => boolean): this;
  map<U>(change: (item: T, key: K) => U): Items<U, K>;
  sortBy(value: (item: T) => number): this;
  reduce<U>(add: (sum: U, item: T) => U, first: U): U;
  keySeq(): Items<K, number>;
  entrySeq(): Items<readonly [K, T], number>;
  toArray(): T[];
  join(separator: string): string;
}

export type PathMethod = readonly [path: string, method: string];
export type ShownOperation = Fields<{ path: string; method: string; operation: object }>;
export type Tag = Fields<{ operations: Items<ShownOperation> }>;
export type Parameter = Fields<{ in: string; name: string; description: string }>;
export type ShownField = Fields<{ errors: Items<string> }>;
/** How the OpenAPI document describes a response. */
export type Response = Fields<{ description: string; content: unknown }>;

export interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** The OpenAPI document, before Swagger UI reads it. */
export interface Document {
  readonly info: { description: string };
  readonly components: { readonly schemas: Record<string, Schema> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId?: string; 'x-schemas'?: string[] }>>>>;
}

export type Rendered = object | string | number | boolean | null | undefined;
export type Component<P> = (props: P) => Rendered;

/** The parts of React. */
export interface React {
  createElement(type: string, props: object | null, ...children: Rendered[]): Rendered;
  createElement<P>(type: Component<P>, props: P): Rendered;
  useEffect(effect: () => undefined | (() => void), inputs?: readonly unknown[]): void;
  useRef<T>(): { current: T };
  useState<T>(): readonly [T | undefined, (value: T | undefined) => void];
}

/** Actions and selectors. A component has them as properties, in addition to its own. */
export interface System {
  readonly React: React;
  readonly authActions: { showDefinitions(isShown: false): void };
  readonly authSelectors: { authorized(): Items<unknown, 'bearer' | 'stepUp'> };
  readonly layoutActions: {
    updateFilter(words: string, isStep?: boolean): void;
    scrollToElement(element: Element): void;
  };
  readonly layoutSelectors: { currentFilter(): string };
  readonly oas3Actions: { setRequestBodyValue(body: { value: unknown; pathMethod: PathMethod }): void };
  readonly oas3Selectors: {
    /** A map of fields for a form, and a text for another body. */
    requestBodyValue(...pathMethod: PathMethod): Items<ShownField> | string | null | undefined;
    requestBodyErrors(...pathMethod: PathMethod): Items<string> | undefined;
    selectDefaultRequestBodyValue(...pathMethod: PathMethod): string;
  };
  readonly specActions: {
    changeParamByIdentity(pathMethod: PathMethod, parameter: Parameter, value: string): void;
    clearResponse(...pathMethod: PathMethod): void;
    clearRequest(...pathMethod: PathMethod): void;
    execute(): void;
  };
  readonly specSelectors: {
    operations(): Items<ShownOperation>;
    taggedOperations(): Items<Tag>;
    selectSchemas(): object;
    specJson(): Pick<Fields<object>, 'getIn'>;
    mutatedRequestFor(...pathMethod: PathMethod): unknown;
  };
  getComponent(name: string, isContainer?: boolean): Component<object>;
}
