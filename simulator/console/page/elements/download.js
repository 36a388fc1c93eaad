import { h } from './dom.js';

/** Makes the browser download a value as a JSON file with this name. @param {string} name @param {unknown} json */
export function download(name, json) {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(json, null, 2)}\n`], { type: 'application/json' }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
