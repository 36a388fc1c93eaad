/** Returns `text` with `&`, `<`, `>`, `"` and `'` replaced by character references, for use in HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
