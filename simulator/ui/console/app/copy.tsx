import { useEffect, useRef } from 'preact/hooks';
import type { App } from './app.tsx';
import type { Part } from './part.tsx';

/**
 * Copies text to the clipboard. When the browser does not allow that, shows the text in the part for the user to copy.
 * @param what Dutch name of the text, for the status message
 */
export async function copy(app: App, part: Part, text: string, what: string) {
  part.message.value = null;
  try {
    await navigator.clipboard.writeText(text);
    app.say(`${what} gekopieerd.`);
  } catch {
    part.message.value = <NotCopied text={text} />;
  }
}

function NotCopied({ text }: { text: string }) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    area.current?.focus();
    area.current?.select();
  }, []);
  return (
    <>
      <p class="utrecht-paragraph">Kopiëren mocht niet van de browser. Kopieer de tekst hieronder zelf.</p>
      <textarea ref={area} class="utrecht-textarea" rows={5} readonly aria-label="Tekst om te kopiëren" value={text} />
    </>
  );
}

/**
 * Returns headers as arguments of curl, quoted for a shell and separated by spaces: `-H 'X-Subject: sanne-de-wit'`.
 */
export const headerLines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `-H '${`${name}: ${value}`.replaceAll("'", "'\\''")}'`)
    .join(' ');

/** Returns headers as a JSON object with indentation. */
export const headerJson = (headers: Record<string, string>) => JSON.stringify(headers, null, 2);
