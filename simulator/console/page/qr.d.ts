/** The module `qr.js` of the page is the package `qr`, which `simulator/console/index.ts` serves unchanged. */
export { encodeQR } from 'qr';
