import { describe, expect, it } from 'vitest';
import { curlOf } from '../../../simulator/control/curl.ts';
import { curlCallOf } from '../../support/curl.ts';

describe('curlOf', () => {
  const base = { url: 'http://localhost:3000/api/v1/intakes', headers: {}, method: 'POST' };
  it.each([
    ['quotes', `{"a":"it's \\"so\\" \`id\` $(id) $HOME !! \\\\ %s %%"}`],
    ['line ends and tabs', '{\n\t"a": 1\n}\n'],
    ['letters outside ASCII', '{"naam":"Yılmaz – 🎈"}'],
    ['an at sign at its start', '@/etc/passwd'],
    ['no characters', ''],
  ])('returns a command that sends a body with %s unchanged', (_, body) => {
    const { args } = curlCallOf(curlOf({ ...base, body }));
    expect(args.slice(-2)).toEqual(['--data-raw', body]);
  });

  it.each([
    ['control characters', '{"a":"\u001b[31m\r\n\u0007"} %d \\n it\'s'],
    ['a dash at its start', '-e \u0001'],
    ['characters that control a terminal', '\u009b31m — \u2028'],
  ])('returns a command without control characters that sends a body with %s unchanged through a pipe', (_, body) => {
    const line = curlOf({ ...base, body });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what may not be there
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028]/);
    const { args, input } = curlCallOf(line);
    expect([args.at(-1), input]).toEqual(['@-', body]);
  });

  it.each([
    [{ method: 'GET', body: null }, [base.url]],
    [{ method: 'HEAD', body: null }, ['--head', base.url]],
    [{ method: 'POST', body: null }, ['-X', 'POST', base.url]],
    [
      { method: 'DELETE', body: null, url: "http://localhost/a[1]/../{b}?c='d'" },
      ['--globoff', '--path-as-is', '-X', 'DELETE', "http://localhost/a[1]/../{b}?c='d'"],
    ],
    [
      { body: null, method: 'GET', headers: { 'x-role': '', host: 'x', 'user-agent': 'y' } },
      [base.url, '-H', 'X-Role;'],
    ],
    [{ body: 'half', truncated: true }, [base.url, '--data-binary', '@body.json']],
    [
      { body: '{}', form: { fields: { localId: '@l1' }, file: { name: 'mijn "cv"; x.pdf' } } },
      [base.url, '--form-string', 'localId=@l1', '-F', 'file=@"./mijn \\"cv\\"; x.pdf"'],
    ],
  ])('returns for %j only the options that it needs', (one, expected) => {
    expect(curlCallOf(curlOf({ ...base, ...one })).args).toEqual(expected);
  });
});
