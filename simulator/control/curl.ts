/** What a curl line is made of. */
export interface Sendable {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The body as it was sent is not known any more. */
  readonly truncated?: boolean;
  /** What was sent as multipart instead of a body: known fields with their value, and the name of the file. */
  readonly form?: {
    readonly fields: Readonly<Record<string, string | null>>;
    readonly file: { readonly name: string } | null;
  };
}

/** What curl says by itself, or what belongs to a browser or a connection rather than to the question. */
const NOT_SAID =
  /^(host|connection|content-length|transfer-encoding|te|expect|keep-alive|user-agent|accept-encoding|accept-language|origin|referer|cookie|cache-control|pragma|priority|dnt|upgrade-insecure-requests|traceparent|tracestate|sec-.*)$/;

/**
 * A line that asks the same again, to be pasted in any POSIX shell whatever the body holds. A token is never in it: the
 * stand-in takes any.
 */
export function curlOf({ method, url, headers, body, truncated = false, form }: Sendable): string {
  const isForm = form !== undefined;
  const said = Object.entries(headers).filter(
    ([name, value]) =>
      !NOT_SAID.test(name) && !(isForm && name === 'content-type') && !(name === 'accept' && value === '*/*'),
  );
  const parts = [
    'curl',
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(/\/\.{1,2}(\/|$|\?)|%2e/i.test(url) ? ['--path-as-is'] : []),
    ...methodOf(method, body !== null || isForm),
    quoted(url),
    ...said.map(([name, value]) => `-H ${quoted(headerOf(name, value))}`),
    ...(isForm ? formOf(form) : []),
  ];
  if (body === null || isForm) return parts.join(' ');
  if (truncated) return [...parts, "--data-binary '@body.json'"].join(' ');
  if (body.search(UNPRINTABLE) < 0) return [...parts, `--data-raw ${quoted(body)}`].join(' ');
  return `printf ${quoted(octal(body))} | ${[...parts, '--data-binary @-'].join(' ')}`;
}

function methodOf(method: string, sends: boolean): string[] {
  if (method === 'HEAD') return ['--head'];
  return method === (sends ? 'POST' : 'GET') ? [] : ['-X', quoted(method)];
}

/** Headers are named as people write them; one without a value needs a semicolon to be sent at all. */
function headerOf(name: string, value: string): string {
  const title = name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
  if (name === 'authorization') return `${title}: ${value.replace('…', 'dev')}`;
  const shown = value.replace(UNPRINTABLE, '');
  return shown === '' ? `${title};` : `${title}: ${shown}`;
}

const formOf = ({ fields, file }: NonNullable<Sendable['form']>): string[] => [
  ...Object.entries(fields).map(([name, value]) => `--form-string ${quoted(`${name}=${value ?? ''}`)}`),
  ...(file === null
    ? []
    : [`-F ${quoted(`file=@"./${file.name.replace(UNPRINTABLE, '').replace(/[\\"]/g, '\\$&')}"`)}`]),
];

/** In single quotes nothing means anything, but for a single quote. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** What a terminal would act upon when it is pasted; a line end or a tab it leaves alone. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

/** The bytes of a text for `printf`, those that need it by number. */
const octal = (text: string): string =>
  [...new TextEncoder().encode(text)]
    .map((byte) =>
      byte < 0x20 || byte > 0x7e || BY_NUMBER.has(byte)
        ? `\\${byte.toString(8).padStart(3, '0')}`
        : String.fromCharCode(byte),
    )
    .join('');

/** A backslash and a percent sign mean something to `printf`, and a dash in front would be an option. */
const BY_NUMBER = new Set([0x5c, 0x25, 0x2d]);
