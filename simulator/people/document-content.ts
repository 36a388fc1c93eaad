import type { DocumentContent } from '../../fixtures/aanvraag.ts';
import { fixtureImage } from './image.ts';

/** Returns the media type and the bytes of a fixture document, which is a PDF with one page of text, or an image. */
export function toFile(papier: DocumentContent): { formaat: string; bytes: Uint8Array } {
  if (papier.soort === 'pdf') return { formaat: 'application/pdf', bytes: pdf(papier.titel, papier.regels) };
  const bytes = fixtureImage(`${papier.bestand}.${papier.soort}`);
  return { formaat: papier.soort === 'jpg' ? 'image/jpeg' : 'image/png', bytes };
}

/** Returns a PDF file with one A4 page: a title and lines of text (ISO 32000-1, 7.5). */
function pdf(titel: string, regels: readonly string[]): Uint8Array {
  const text = [
    'BT /F1 18 Tf 72 760 Td',
    `${literal(titel)} Tj`,
    '/F1 11 Tf 0 -36 Td 16 TL',
    ...regels.map((regel) => `${literal(regel)} Tj T*`),
    'ET',
  ].join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (nl) >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let body = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n';
  const offsets = objects.map((object, index) => {
    const at = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const entries = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return bytesOf(`${body}xref\n0 ${size}\n0000000000 65535 f \n${entries}${end}`);
}

/** Returns a text as a PDF string literal (ISO 32000-1, 7.3.4.2). */
const literal = (text: string): string => `(${text.replace(/[\\()]/g, '\\$&')})`;

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
