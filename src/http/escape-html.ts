/**
 * Returns `text` with `&`, `<`, `>` and both quotes as character references, for use in HTML content and in quoted
 * attribute values.
 */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
