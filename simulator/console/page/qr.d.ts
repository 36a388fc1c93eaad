/** The module `qr.js` of the page is the npm package `qr`. */
export { encodeQR } from 'qr';
