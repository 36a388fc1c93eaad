interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** True when the journal lacks a part of the body: curl then sends a file `body.json` of the user. */
  readonly truncated?: boolean;
  /** The parts of a multipart body: the values of its fields and the name of its file. Sent instead of `body`. */
  readonly form?: {
    readonly fields: Readonly<Record<string, string | null>>;
    readonly file: { readonly name: string } | null;
  };
}

/** curl adds these itself, or only browsers and proxies send them. */
const OMITTED_HEADERS =
  /^(host|connection|content-length|transfer-encoding|te|expect|keep-alive|user-agent|accept-encoding|accept-language|origin|referer|cookie|cache-control|pragma|priority|dnt|upgrade-insecure-requests|traceparent|tracestate|sec-.*)$/;

/** Safe to paste in a POSIX shell. A token that the journal masked becomes `dev`: the stand-in login accepts any. */
export function curlOf({ method, url, headers, body, truncated = false, form }: CurlRequest): string {
  const isForm = form !== undefined;
  const sentHeaders = Object.entries(headers).filter(
    ([name, value]) =>
      !OMITTED_HEADERS.test(name) && !(isForm && name === 'content-type') && !(name === 'accept' && value === '*/*'),
  );
  const parts = [
    'curl',
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(/\/\.{1,2}(\/|$|\?)|%2e/i.test(url) ? ['--path-as-is'] : []),
    ...methodOf(method, body !== null || isForm),
    quote(url),
    ...sentHeaders.map(([name, value]) => `-H ${quote(headerOf(name, value))}`),
    ...(isForm ? formOf(form) : []),
  ];
  if (body === null || isForm) return parts.join(' ');
  if (truncated) return [...parts, "--data-binary '@body.json'"].join(' ');
  if (body.search(UNPRINTABLE) < 0) return [...parts, `--data-raw ${quote(body)}`].join(' ');
  return `printf ${quote(toPrintfFormat(body))} | ${[...parts, '--data-binary @-'].join(' ')}`;
}

function methodOf(method: string, sends: boolean): string[] {
  if (method === 'HEAD') return ['--head'];
  return method === (sends ? 'POST' : 'GET') ? [] : ['-X', quote(method)];
}

/** An empty header is written as `Name;`, because curl does not send `Name:`. */
function headerOf(name: string, value: string): string {
  const title = name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
  if (name === 'authorization') return `${title}: ${value.replace('…', 'dev')}`;
  const shown = value.replace(UNPRINTABLE, '');
  return shown === '' ? `${title};` : `${title}: ${shown}`;
}

/** Returns curl's arguments for a multipart body. curl reads the file from the current folder. */
const formOf = ({ fields, file }: NonNullable<CurlRequest['form']>): string[] => [
  ...Object.entries(fields).map(([name, value]) => `--form-string ${quote(`${name}=${value ?? ''}`)}`),
  ...(file === null
    ? []
    : [`-F ${quote(`file=@"./${file.name.replace(UNPRINTABLE, '').replace(/[\\"]/g, '\\$&')}"`)}`]),
];

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A terminal may act on these when a command is pasted: control characters but tab and line feed, U+2028 and U+2029. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Returns a text as a format for the shell's `printf`, which prints the UTF-8 bytes of that text. */
const toPrintfFormat = (text: string): string =>
  [...new TextEncoder().encode(text)]
    .map((byte) =>
      byte < 0x20 || byte > 0x7e || ESCAPED_BYTES.has(byte)
        ? `\\${byte.toString(8).padStart(3, '0')}`
        : String.fromCharCode(byte),
    )
    .join('');

/** A backslash and a percent sign, which `printf` interprets, and a dash, which could begin an option. */
const ESCAPED_BYTES = new Set([0x5c, 0x25, 0x2d]);
