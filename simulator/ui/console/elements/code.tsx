import { Facts } from '../../components/parts.tsx';
import { parsed } from '../app/api.ts';

/** Returns JSON text with indentation, and any other text unchanged; an empty text for null. */
export function pretty(text: string | null) {
  if (text === null) return '';
  const value = parsed(text);
  return value === null ? text : JSON.stringify(value, null, 2);
}

/**
 * Shows code or JSON.
 * @param props `name` is the label for screen readers
 */
export const CodeBlock = ({ text, name }: { text: string; name: string }) => (
  // biome-ignore lint/a11y/useSemanticElements: a section cannot keep the spaces of code as they are
  <pre class="utrecht-code-block code" tabindex={0} role="region" aria-label={name}>
    <code>{text}</code>
  </pre>
);

/** Level of nested lists at which an object is shown as JSON. */
const MAX_DEPTH = 3;

/**
 * Shows the input (facts) or the outcome of a rule. An object becomes a description list, and an object in that list
 * becomes a list again; an object inside three lists is shown as JSON.
 * @param props `depth` is the number of lists around this value
 */
export function FactList({ of, depth = 0 }: { of: unknown; depth?: number }) {
  if (of === null || typeof of !== 'object') return <span>{valueText(of)}</span>;
  if (Array.isArray(of) && of.every((one) => one === null || typeof one !== 'object'))
    return <span>{of.map(valueText).join(', ') || 'geen'}</span>;
  if (depth === MAX_DEPTH) return <code>{JSON.stringify(of)}</code>;
  return (
    <Facts of={Object.entries(of).map(([key, value]) => [key, <FactList key={key} of={value} depth={depth + 1} />])} />
  );
}

/** Returns a value as text: `ja` or `nee` for a boolean, and `geen` for null or undefined. */
export function valueText(value: unknown) {
  if (value === true) return 'ja';
  if (value === false) return 'nee';
  return value === null || value === undefined ? 'geen' : String(value);
}
