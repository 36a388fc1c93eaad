/** Makes the browser download a value as a JSON file with this name. */
export function download(name: string, json: unknown) {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(json, null, 2)}\n`], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
