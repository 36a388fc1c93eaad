import { batch, type Signal, signal } from '@preact/signals';

/** A part of the state of the page that is a query parameter of its address. */
interface Member {
  /** Name of the query parameter. It is left out of the address for the default value. */
  readonly name: string;
  readonly first: string;
  /** The values that it can have; any text when absent. Another value in an address becomes the default. */
  readonly values?: readonly string[];
  /** True for a text that the user types: its letters become one step of the history of the browser. */
  readonly isTyped?: true;
}

export const FIRST_PERSON = 'sanne-de-wit';

/** The state of the page that is in its address, so that Back, Forward, a reload and a link show the same. */
const MEMBERS = {
  world: { name: 'wereld', first: 'default' },
  person: { name: 'als', first: FIRST_PERSON },
  tab: { name: 'toon', first: 'mijn', values: ['mijn', 'antwoord', 'papier', 'brievenbus', 'zaken'] },
  leftTab: { name: 'links', first: 'mensen-lijst', values: ['mensen-lijst', 'zoeken', 'demos'] },
  drawer: { name: 'lade', first: '', values: ['', 'wereld', 'klok', 'faults', 'momentopnamen', 'journaal'] },
  personSearch: { name: 'vind', first: '', isTyped: true },
  path: { name: 'pad', first: '', isTyped: true },
  /** The open entry of the journal: its trace id. */
  call: { name: 'aanroep', first: '' },
  callSearch: { name: 'zoek', first: '', isTyped: true },
  caller: { name: 'aanroeper', first: '' },
  operation: { name: 'operatie', first: '' },
  status: { name: 'status', first: '', values: ['', '2', '4', '5'] },
  /** Id of the entry of the journal before which the shown entries end; empty for the newest. */
  before: { name: 'voor', first: '' },
  /** The open letter: the slug of its addressee, a slash and its id. */
  letter: { name: 'bericht', first: '' },
  letterSearch: { name: 'post', first: '', isTyped: true },
  /** To whom the letters are: empty for the chosen person. */
  addressee: { name: 'aan', first: '', values: ['', 'iedereen'] },
  letterKind: { name: 'soort', first: '' },
  case: { name: 'zaak', first: '' },
  /** Number of the step of a demonstration, from 1; empty when none is played. */
  step: { name: 'stap', first: '' },
  view: { name: 'beeld', first: '', values: ['', 'presentatie'] },
} as const satisfies Record<string, Member>;

export type AddressMember = keyof typeof MEMBERS;
const NAMES = Object.keys(MEMBERS) as AddressMember[];

function valueIn(url: URL, member: AddressMember): string {
  const { name, first, values }: Member = MEMBERS[member];
  const value = url.searchParams.get(name) ?? first;
  return values === undefined || values.includes(value) ? value : first;
}

/** The value of each part of the state that is in the address. Change it with `go`. */
export const address = Object.fromEntries(
  NAMES.map((member) => [member, signal(valueIn(new URL(location.href), member))]),
) as Readonly<Record<AddressMember, Signal<string>>>;

/** The member that the user types in since the last other step. */
let typing: AddressMember | null = null;

export function hrefWith(change: Partial<Record<AddressMember, string>>): string {
  const url = new URL(location.href);
  for (const [member, value] of Object.entries(change) as [AddressMember, string][]) {
    const { name, first } = MEMBERS[member];
    if (value === first) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.href;
}

/** Changes the state and the address: a step in the history of the browser, for Back, unless `isStep` is false. */
export function go(change: Partial<Record<AddressMember, string>>, isStep = true): void {
  const changed = Object.keys(change) as AddressMember[];
  const [only] = changed;
  const typed = changed.length === 1 && only !== undefined && 'isTyped' in MEMBERS[only] ? only : null;
  const href = hrefWith(change);
  if (href !== location.href) {
    if (isStep && (typed === null || typed !== typing)) history.pushState(null, '', href);
    else history.replaceState('step' in change ? null : history.state, '', href);
    if (isStep) typing = typed;
  }
  batch(() => {
    for (const member of changed) address[member].value = change[member] ?? MEMBERS[member].first;
  });
}

export const bindAddress = (member: AddressMember) => ({
  value: address[member].value,
  onInput: (value: string) => go({ [member]: value }),
});

/**
 * Follows Back and Forward. When `follow` goes to the step of the address, the address of the step before stays until it
 * is shown. Otherwise calls `show` with the world of the address, and takes over the other members, which belong to it.
 */
export function onBack(show: (world: string) => Promise<unknown>, follow: (step: string) => boolean): void {
  addEventListener('popstate', async () => {
    typing = null;
    const url = new URL(location.href);
    const world = valueIn(url, 'world');
    // An entry that was left before its step was shown has the step as its state.
    const step = history.state ?? valueIn(url, 'step');
    if (world === address.world.value && follow(step)) {
      const shown = Object.fromEntries(NAMES.map((member) => [member, address[member].value]));
      return history.replaceState(step, '', hrefWith(shown));
    }
    await show(world);
    batch(() => {
      for (const member of NAMES) address[member].value = valueIn(new URL(location.href), member);
    });
    follow(address.step.value);
  });
}

/** Calls a function with the slug of each person that is chosen from now on. */
export function onPerson(listener: (slug: string) => void) {
  let last = address.person.peek();
  address.person.subscribe((slug) => {
    if (slug === last) return;
    last = slug;
    listener(slug);
  });
}
