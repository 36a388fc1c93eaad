import { encodeQR } from 'qr';

/** Width of the light border around a QR code, in modules, which are the small squares of the code (ISO/IEC 18004). */
const BORDER = 4;

/**
 * Shows the QR code for a text.
 * @param props `label` is text for a user who does not see the image
 */
export function QrCode({ of, label }: { of: string; label: string }) {
  const rows = encodeQR(of, 'raw', { border: BORDER });
  const squares = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg viewBox={`0 0 ${rows.length} ${rows.length}`} class="qr" role="img" aria-label={label}>
      <path d={squares.join('')} />
    </svg>
  );
}
