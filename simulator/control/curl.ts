/** The request that `curlOf` writes as a curl command. */
export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /**
   * True when the journal has only a part of the body, or nothing of it. The command then reads the body from the file
   * `body.json`, which its user must make.
   */
  readonly truncated?: boolean;
  /**
   * The parts of a multipart body, used instead of `body`: the values of the known fields, and the name of the file.
   * Absent for another body.
   */
  readonly form?: {
    readonly fields: Readonly<Record<string, string | null>>;
    readonly file: { readonly name: string } | null;
  };
}

/**
 * Matches the names of headers that are left out of the curl command: curl adds them itself, or they belong to the
 * browser or the connection.
 */
const OMITTED_HEADERS =
  /^(host|connection|content-length|transfer-encoding|te|expect|keep-alive|user-agent|accept-encoding|accept-language|origin|referer|cookie|cache-control|pragma|priority|dnt|upgrade-insecure-requests|traceparent|tracestate|sec-.*)$/;

/**
 * Returns the curl command that repeats a request. It is safe to paste in any POSIX shell, whatever the request
 * contains. A token that the journal has masked (`…`) is written as `dev`, because the simulated login accepts any
 * token.
 */
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
    quoted(url),
    ...sentHeaders.map(([name, value]) => `-H ${quoted(headerOf(name, value))}`),
    ...(isForm ? formOf(form) : []),
  ];
  if (body === null || isForm) return parts.join(' ');
  if (truncated) return [...parts, "--data-binary '@body.json'"].join(' ');
  if (body.search(UNPRINTABLE) < 0) return [...parts, `--data-raw ${quoted(body)}`].join(' ');
  return `printf ${quoted(octal(body))} | ${[...parts, '--data-binary @-'].join(' ')}`;
}

/** Returns curl's arguments for the method; none for the method that it uses by itself (POST when it sends a body). */
function methodOf(method: string, sends: boolean): string[] {
  if (method === 'HEAD') return ['--head'];
  return method === (sends ? 'POST' : 'GET') ? [] : ['-X', quoted(method)];
}

/**
 * Returns a header as the argument of `-H`, with capitals in its name (`Content-Type`). An empty header is written as
 * `Name;`, because curl leaves out `Name:`.
 */
function headerOf(name: string, value: string): string {
  const title = name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
  if (name === 'authorization') return `${title}: ${value.replace('…', 'dev')}`;
  const shown = value.replace(UNPRINTABLE, '');
  return shown === '' ? `${title};` : `${title}: ${shown}`;
}

/** Returns curl's arguments for a multipart body. The file is read from the current folder, under its own name. */
const formOf = ({ fields, file }: NonNullable<CurlRequest['form']>): string[] => [
  ...Object.entries(fields).map(([name, value]) => `--form-string ${quoted(`${name}=${value ?? ''}`)}`),
  ...(file === null
    ? []
    : [`-F ${quoted(`file=@"./${file.name.replace(UNPRINTABLE, '').replace(/[\\"]/g, '\\$&')}"`)}`]),
];

/** Returns the text as one word of a POSIX shell: in single quotes, where only the single quote has to be escaped. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Control characters that a terminal executes when they are pasted. Tab and line feed are harmless. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Returns a text as a format of `printf` that prints its UTF-8 bytes, with octal escapes where needed. */
const octal = (text: string): string =>
  [...new TextEncoder().encode(text)]
    .map((byte) =>
      byte < 0x20 || byte > 0x7e || ESCAPED_BYTES.has(byte)
        ? `\\${byte.toString(8).padStart(3, '0')}`
        : String.fromCharCode(byte),
    )
    .join('');

/** Bytes that `printf` would interpret: a backslash, a percent sign, and a dash, which could begin an option. */
const ESCAPED_BYTES = new Set([0x5c, 0x25, 0x2d]);
