import { encodeQR } from 'qr';

const SVG = 'http://www.w3.org/2000/svg';
/** Width of the light border around a QR code, in modules, which are the small squares of the code (ISO/IEC 18004). */
const BORDER = 4;

/**
 * Returns an SVG image of the QR code for a text.
 * @param label text for a user who does not see the image
 */
export function qrCode(text: string, label: string) {
  const rows = encodeQR(text, 'raw', { border: BORDER });
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${rows.length} ${rows.length}`);
  svg.setAttribute('class', 'qr');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join(''));
  svg.append(path);
  return svg;
}
