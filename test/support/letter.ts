import { accepted, type CallOptions, newWorld, type Reply, type TestService } from './service.ts';

const BRIEF = '/api/v1/brief';

const STAFF_HEADERS = {
  dana: { 'x-subject': 'drafter-dana', 'x-role': 'drafter' },
  anna: { 'x-subject': 'approver-anna', 'x-role': 'approver' },
  ali: { 'x-subject': 'admin-ali', 'x-role': 'admin' },
  /** A person without a role header is a drafter (specification.md, "Authentication 3"). */
  noor: { 'x-subject': 'noor-bakker' },
  bas: { 'x-medewerker': 'behandelaar-bas', 'x-rollen': 'behandelaar' },
  tess: { 'x-medewerker': 'teamlead-tess', 'x-rollen': 'behandelaar,teamlead' },
  /** This one and the next two: staff with roles that they do not usually have. */
  tessLead: { 'x-medewerker': 'teamlead-tess', 'x-rollen': 'teamlead' },
  basAdmin: { 'x-medewerker': 'behandelaar-bas', 'x-rollen': 'beheerder' },
  basBoth: { 'x-medewerker': 'behandelaar-bas', 'x-rollen': 'behandelaar,beheerder' },
} as const satisfies Record<string, Record<string, string>>;

export type StaffName = keyof typeof STAFF_HEADERS;

export interface LetterClient {
  readonly world: string;
  get(who: StaffName, headers?: Record<string, string>): Promise<Reply>;
  /** Returns the letter as Dana, the drafter, reads it. */
  brief(): Promise<Reply['body']>;
  /** Returns the text of this section as Dana reads it. */
  text(sectionKey: string): Promise<string>;
  put(who: StaffName, sections: unknown, headers?: Record<string, string>): Promise<Reply>;
  post(who: StaffName, action: string, json?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /**
   * Returns the sections of the letter as this person reads them, with a text in the placeholder that a drafter must
   * fill in (`periode_beoordeeld`).
   */
  filledSections(who?: StaffName): Promise<Sections>;
  /** Brings a new letter to this status, by actions of several persons. */
  bringTo(to: 'draft' | 'submitted' | 'approved' | 'rejected' | 'sent'): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: sections as they came over the wire, changed at will by tests
export type Sections = any[];

/**
 * Returns functions that read, change and process the letter of a world, each as the member of staff in `who`. The
 * world is a new one when `world` is absent.
 */
export function createLetterClient(service: TestService, world = newWorld()): LetterClient {
  const headersOf = (who: StaffName): Record<string, string> => ({
    authorization: 'Bearer test',
    ...Object.fromEntries(
      Object.entries(STAFF_HEADERS[who]).map(([name, value]) => [
        name,
        name === 'x-subject' || name === 'x-medewerker' ? `${value}@${world}` : value,
      ]),
    ),
  });
  const call = (method: 'GET' | 'PUT' | 'POST', path: string, who: StaffName, options: CallOptions = {}) =>
    service.call(method, path, { ...options, headers: { ...headersOf(who), ...options.headers } });

  const client: LetterClient = {
    world,
    get: (who, headers = {}) => call('GET', BRIEF, who, { headers }),
    brief: async () => (await client.get('dana')).body.brief,
    text: async (sectionKey) => sectionTextOf((await client.brief()).sections, sectionKey),
    put: (who, sections, headers = {}) => call('PUT', BRIEF, who, { json: { sections }, headers }),
    post: (who, action, json, headers = {}) =>
      call('POST', `${BRIEF}/${action}`, who, { headers, ...(json !== undefined && { json }) }),
    async filledSections(who = 'dana') {
      const { sections } = (await accepted(client.get(who))).body.brief;
      fillablePlaceholderOf(sections).text = '1 juni 2022 tot 1 mei 2026';
      return sections;
    },
    async bringTo(to) {
      if (to === 'draft') return;
      await accepted(client.put('dana', await client.filledSections()));
      await accepted(client.post('dana', 'submit'));
      if (to === 'submitted') return;
      if (to === 'rejected') {
        await accepted(client.post('anna', 'reject', { comments: 'De periode klopt niet.' }));
        return;
      }
      await accepted(client.post('anna', 'approve'));
      if (to === 'sent') await accepted(client.post('bas', 'send'));
    },
  };
  return client;
}

/**
 * Returns the placeholder that a drafter must fill in (`periode_beoordeeld`). Throws when the letter does not have it.
 */
export const fillablePlaceholderOf = (sections: Sections) => placeholderOf(sections, 'periode_beoordeeld');

export const placeholderOf = (sections: Sections, key: string) => {
  const node = sections
    .flatMap(({ blocks }) => blocks)
    // biome-ignore lint/suspicious/noExplicitAny: as above
    .flatMap(({ content }: any) => content.paragraphs.flatMap(({ nodes }: any) => nodes))
    .find((one: { key: string | null }) => one.key === key);
  if (node === undefined) throw new Error(`no ${key}`);
  return node;
};

/** Returns a block of a letter with a paragraph for each text. */
export const freeText = (...texts: string[]) => ({
  type: 'freeText',
  content: { paragraphs: texts.map((text) => ({ nodes: [{ type: 'text', text }] })) },
});

/** Returns the text of a section of a letter, with its placeholders. An empty line separates the paragraphs. */
export const sectionTextOf = (sections: Sections, sectionKey: string): string =>
  sections
    .find((section) => section.sectionKey === sectionKey)
    // biome-ignore lint/suspicious/noExplicitAny: as above
    ?.blocks.flatMap(({ content }: any) => content.paragraphs)
    // biome-ignore lint/suspicious/noExplicitAny: as above
    .map(({ nodes }: any) => nodes.map(({ type, text }: any) => (type === 'lineBreak' ? '\n' : text)).join(''))
    .join('\n\n');
