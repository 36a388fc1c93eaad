/** The MCP server (Model Context Protocol): the simulator for a program with a language model, an agent. */
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { API_VERSION } from '../../src/http/middleware/headers.ts';
import { CliError, type ControlRefusal, RefusedError } from '../cli/client.ts';
import type { RefusalCode } from '../control/refusals.ts';
import { documentPages, readDocument } from '../documents.ts';
import { CONTROL_TOOLS, type McpSession, type Tool } from './control-tools.ts';
import { SERVICE_TOOLS } from './service-tools.ts';

const TOOLS = [...CONTROL_TOOLS, ...SERVICE_TOOLS];

const instructionsOf = ({ url, world }: McpSession): string =>
  [
    'This is the backend of a Dutch register of healthcare professionals (zorgregister-bff), with a simulator of the systems behind it. All people are fictional. With it you see what a page gets in any situation, make that situation, and undo it.',
    `The service runs at ${url}. You act in the world \`${world}\`, a copy of all people and data, unless a call names another \`world\`. Other worlds belong to others: change one only when the user names it. A page in the user's browser is usually in the world \`default\`; a page is in yours when it sends \`X-Subject: sanne-de-wit@${world}\`.`,
    'How to work: find_people, then describe_operation, then call_operation as that person. Make a situation with move_clock, set_fault, turn_on_scenario, decide_case, set_document or set_staff_letter, and call again. read_journal says of each call why the answer was what it was. clear_faults and reset_world undo.',
    'Codes, members and texts for users are Dutch. read_guide has the documentation in English: reference/words for Dutch words, reference/problems for problem codes.',
    `The user can watch: ${url}/_simulator/?wereld=${world} is the console of this world, and ${url}/_simulator/mijn/?als=sanne-de-wit&wereld=${world} an example of a page, as a person.`,
  ].join('\n\n');

/** What to do next after a refusal of the control API, keyed by its code. Other refusals say so in `detail`. */
const NEXT: Readonly<Partial<Record<RefusalCode, string>>> = {
  'besluit-ongegrond':
    'Bring the letter to `sent` with set_staff_letter and templateId aanvulling-gevraagd, then move_clock past its term.',
  'brief-niet-te-brengen': 'read_journal shows why the service refused. reset_world begins again.',
  'brief-onbekend': 'list_letters has the ids of the letters of this person.',
  'document-in-gebruik': 'Choose another document of list_documents.',
  'document-onbekend': 'list_documents has the documentId of each.',
  'filter-onjuist': 'describe_operation lists the operations. A status is 422 or 4xx.',
  'geen-deadline': 'find_people with {"situation": "aan-de-beurt"} finds people with a deadline.',
  'geen-zaak':
    'A case begins when a person submits a request: call_operation createHerregistratie. list_cases has all cases; lotte-van-dijk begins with one.',
  'lopende-aanvraag': 'decide_case decides the other case first.',
  'nog-niet-ontvangen': 'move_clock to the day that is named.',
  'persona-onbekend': 'find_people has the slugs.',
  'storing-onbekend': 'show_world has the ids of the faults that are on.',
  'storing-onmogelijk': 'Change what `detail` names. describe_operation has the problem codes of an operation.',
  'wereld-onbekend': 'Leave `world` out for your own world.',
  'zaak-onbekend': 'list_cases has the references.',
  'zaak-zonder-brief': 'list_cases has the cases. Choose an undecided registratie or herregistratie.',
};

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 1));

function toProblem({ status, code, title, detail, errors }: ControlRefusal) {
  const next = Object.hasOwn(NEXT, code) ? NEXT[code as RefusalCode] : undefined;
  return {
    problem: { status, code, title, detail, ...(errors && { errors }) },
    next: next ?? 'Change the arguments as the problem says, and call the tool again.',
  };
}

/** Runs a tool. A refusal becomes a result with the problem, so that the model can read it and go on. */
async function resultOf(tool: Tool, args: Record<string, unknown>, session: McpSession): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: toText(await tool.run(args, session)) }] };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const said = error instanceof RefusedError ? toProblem(error.problem) : error.message;
    return { content: [{ type: 'text', text: toText(said) }], isError: true };
  }
}

const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

export async function createMcpServer(session: McpSession): Promise<McpServer> {
  const server = new McpServer(
    { name: 'zorgregister-bff', title: 'Simulator of the register of healthcare professionals', version: API_VERSION },
    { instructions: instructionsOf(session) },
  );
  for (const tool of TOOLS)
    server.registerTool(
      tool.name,
      {
        title: titleOf(tool.name),
        description: tool.description,
        inputSchema: tool.args,
        annotations: {
          readOnlyHint: tool.isRead === true,
          destructiveHint: tool.isDestructive === true,
          openWorldHint: false,
        },
      },
      (args) => resultOf(tool, args, session),
    );
  server.registerResource(
    'openapi',
    'zorgregister://openapi.json',
    {
      title: 'OpenAPI document',
      description: 'The OpenAPI 3.1 document of the service.',
      mimeType: 'application/json',
    },
    async ({ href }) => {
      const answer = await fetch(`${session.url}/api/v1/openapi.json`);
      return { contents: [{ uri: href, mimeType: 'application/json', text: await answer.text() }] };
    },
  );
  for (const { path, title, about } of await documentPages())
    server.registerResource(
      path,
      `zorgregister://${path}`,
      { title, description: about, mimeType: 'text/markdown' },
      async ({ href }) => ({ contents: [{ uri: href, mimeType: 'text/markdown', text: await readDocument(path) }] }),
    );
  return server;
}
