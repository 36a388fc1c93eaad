/** llms.txt (llmstxt.org): what this project is and its pages, for programs with a language model. */
import { readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url);
/** The pages that are not about the use of the service or its simulator. */
const FOR_MAINTAINERS = ['architecture', 'contributing', 'licences', 'mutants', 'performance'];

function lineOf(path: string): string {
  const text = readFileSync(new URL(path, ROOT), 'utf8');
  const [, title = '', paragraph = ''] = /^# (.+)\n\n((?:.+\n)+)/.exec(text) ?? [];
  const plain = paragraph.replaceAll('\n', ' ').replaceAll(/\[([^[\]]{1,500})\]\([^()]{1,500}\)/g, '$1');
  const [sentence] = /^.+?\.(?= [A-Z`]| ?$)/.exec(plain) ?? [plain];
  return `- [${title}](${path}): ${sentence}`;
}

const linesOf = (folder: string, isWanted: (name: string) => boolean = () => true): string[] =>
  readdirSync(new URL(folder, ROOT))
    .filter((file) => file.endsWith('.md') && isWanted(file.slice(0, -3)))
    .sort()
    .map((file) => lineOf(folder + file));

export const llmsText = (): string =>
  [
    '# zorgregister-bff',
    '',
    '> The backend-for-frontend of a Dutch register of healthcare professionals, with a simulator of the systems behind it: fictional people in every situation, a clock, faults, and a journal with the reason for each answer. Documentation is in English; codes, members and texts for users are Dutch.',
    '',
    'For an agent: `npx --no-install zorgregister-bff mcp` serves MCP over stdio, and a running service at `/_simulator/mcp`. The OpenAPI document is at `/api/v1/openapi.json`, that of the simulator at `/_simulator/openapi.json`.',
    '',
    '## Guides',
    '',
    ...linesOf('docs/guides/'),
    '',
    '## Reference',
    '',
    ...linesOf('docs/reference/'),
    '',
    '## The register and the service',
    '',
    ...linesOf('docs/', (name) => !FOR_MAINTAINERS.includes(name)),
    '',
    '## Optional',
    '',
    ...linesOf('docs/', (name) => FOR_MAINTAINERS.includes(name)),
    '',
  ].join('\n');
