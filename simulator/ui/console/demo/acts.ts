import { PageError } from '../app/api.ts';
import { isSettled } from '../mijn.tsx';
import type { Act, Step } from '../types.d.ts';

/** Milliseconds between two looks at the page, for what is not there yet. */
const LOOK = 50;
/** Milliseconds after which a field, a button or a text that is still not there is an error. */
const MAX_WAIT = 20_000;
const REMEDY = 'Kies Vorige en dan Volgende: dan speelt de demonstratie deze stap opnieuw.';
/** Milliseconds that the pointer moves to a control, and rests on it. */
const MOVE = 700;
const REST = 500;
/** Milliseconds for one typed character, and at most for a whole text. */
const TYPE = 90;
const TYPE_ALL = 2_500;

/** Pixels between a text that is shown and the edge of the screen. */
const MARGIN = 32;
/** Pixels above the block at the top of the screen; less than between two blocks. */
const BLOCK_MARGIN = 8;
/** Blocks of a screen. The text below a heading is not separate from it. */
const BLOCKS = 'main :is(h2, h3, h4, p, li, dl, .panel, .alert):not(:is(h2, h3, h4, .head) + *)';

/** Creates the pace of a step. With `isSkipped` all acts are done at once. */
export function createPace(isSkipped: boolean) {
  let wake = () => {};
  const pace = {
    isSkipped,
    isCancelled: false,
    async pause(milliseconds: number) {
      if (pace.isSkipped) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, milliseconds);
      });
    },
    skip() {
      pace.isSkipped = true;
      wake();
    },
    /** Ends the acts: what waits for the screen rejects. */
    cancel() {
      pace.isCancelled = true;
      pace.skip();
    },
  };
  return pace;
}

export type Pace = ReturnType<typeof createPace>;

/** Does the acts on the screen, with a pointer that shows where. Rejects with a `PageError` for a missing control. */
export async function perform({ acts = [] }: Step, pageOf: () => Document | null, pace: Pace) {
  let pointer: ReturnType<typeof createPointer> | null = null;
  try {
    for (const act of acts) {
      const control = await found(
        () => {
          const page = pageOf();
          return isSettled(page) && controlOf(page, act);
        },
        `Op het scherm van Mijn register staat geen “${nameOf(act)}”.`,
        pace,
      );
      const { style } = control.ownerDocument.documentElement;
      if (!pace.isSkipped) {
        style.scrollBehavior = '';
        pointer ??= createPointer(control.ownerDocument);
        await pointer.moveTo(control, pace);
      }
      // A message takes the focus: a smooth scroll to it would end after the scroll to the texts of the step.
      style.scrollBehavior = 'auto';
      if ('fill' in act) await type(control as HTMLInputElement, act.with, pace);
      else control.click();
      await pace.pause(REST);
    }
  } finally {
    pointer?.remove();
  }
}

/** What Mijn register shows while a draft or a letter is not saved yet. */
const UNSAVED = '.save-state--changed, .save-state--saving';

/** Waits until the screen shows the texts of a step and has saved what was filled in, and scrolls to the last of them. */
export async function seen({ visible = [] }: Step, pageOf: () => Document | null, pace: Pace) {
  for (const text of visible)
    await found(
      () => {
        const page = pageOf();
        return pace.isCancelled || (isSettled(page) && isIn(page.body, text));
      },
      `Op het scherm van Mijn register staat niet: “${text}”.`,
      pace,
    );
  await found(
    () => pace.isCancelled || pageOf()?.querySelector(UNSAVED) === null,
    'Mijn register heeft nog niet bewaard wat is ingevuld.',
    pace,
  );
  // A new screen first moves the focus, which scrolls too.
  await new Promise((resolve) => setTimeout(resolve, 2 * LOOK));
  const page = pageOf();
  if (page === null || pace.isCancelled) return;
  // From the top: the title and the status of the screen stay in view with a text that is near them.
  page.defaultView?.scrollTo({ top: 0, behavior: 'instant' });
  const last = visible.at(-1);
  if (last !== undefined && isIn(page.body, last)) showPlace(page, last);
}

const isIn = (part: HTMLElement, text: string) => plain(part.innerText).includes(plain(text));

/** Scrolls as little as is needed; a block of the screen then begins at the top, and not a part of a line. */
function showPlace(page: Document, text: string) {
  let place: HTMLElement | undefined = page.body;
  for (let part: HTMLElement | undefined = place; part !== undefined; place = part, part = inside(part, text));
  mark(place, text);
  const { documentElement: root, defaultView: view } = page;
  const { top, bottom } = place.getBoundingClientRect();
  const least = bottom + MARGIN - root.clientHeight;
  if (least <= 0 || view === null) return;
  const above = (Number.parseFloat(view.getComputedStyle(root).scrollPaddingBlockStart) || 0) + BLOCK_MARGIN;
  const most = Math.min(top - above, root.scrollHeight - root.clientHeight - root.scrollTop);
  const tops = [...page.querySelectorAll(BLOCKS)].map((block) => block.getBoundingClientRect().top - above);
  const first = Math.min(...tops.filter((at) => at >= least && at <= most));
  view.scrollBy({ top: Number.isFinite(first) ? first : least, behavior: 'instant' });
}

/** Marks a text, as with a highlighter pen, until the screen shows another. */
function mark(place: HTMLElement, text: string) {
  const { ownerDocument: page } = place;
  const view = page.defaultView as Window & typeof globalThis;
  const range = page.createRange();
  range.selectNodeContents(place);
  const walker = page.createTreeWalker(place, view.NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) nodes.push(walker.currentNode as Text);
  // A date has spaces at which a line does not break.
  const all = nodes.map(({ data }) => data.replaceAll(/\s/g, ' ')).join('');
  const start = all.indexOf(text);
  let from = 0;
  for (const node of start < 0 ? [] : nodes) {
    const at = (offset: number) => offset > from && offset <= from + node.length;
    if (at(start + 1)) range.setStart(node, start - from);
    if (at(start + text.length)) range.setEnd(node, start + text.length - from);
    from += node.length;
  }
  view.CSS.highlights.set('demonstratie', new view.Highlight(range));
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync('::highlight(demonstratie) { background: #ffe57a; color: #000; }');
  page.adoptedStyleSheets = [sheet];
}

const inside = (part: HTMLElement, text: string) =>
  ([...part.children] as HTMLElement[]).find((one) => one.innerText !== undefined && isIn(one, text));

/** Resolves with what `look` returns, as soon as that is something. Rejects with a `PageError` after 20 seconds. */
async function found<T>(look: () => T | null | false, message: string, pace: Pace): Promise<T> {
  const since = performance.now();
  for (;;) {
    const result = look();
    if (result) return result;
    if (pace.isCancelled || performance.now() - since > MAX_WAIT) throw new PageError(message, REMEDY);
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
}

const nameOf = (act: Act) => ('fill' in act ? act.fill : 'choose' in act ? act.choose : act.press);

const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Returns the visible control that an act names; null when the screen has none, or is busy with it. */
function controlOf(page: Document, act: Act): HTMLElement | null {
  const name = nameOf(act);
  // A dialog makes the rest of the page unusable.
  const part = page.querySelector('dialog[open]') ?? page;
  const all =
    'press' in act
      ? [...part.querySelectorAll<HTMLElement>('button, a[href]')].filter((one) => plain(one.textContent) === name)
      : [...part.querySelectorAll('label')].flatMap((label) =>
          plain(label.textContent) === name && label.control !== null ? [label.control] : [],
        );
  return all.find((one) => one.checkVisibility() && !one.matches(':disabled, [aria-busy="true"]')) ?? null;
}

async function type(field: HTMLInputElement, text: string, pace: Pace) {
  for (let length = 1; length <= text.length; length += 1) {
    if (pace.isSkipped) break;
    enter(field, text.slice(0, length));
    await pace.pause(Math.min(TYPE, TYPE_ALL / text.length));
  }
  enter(field, text);
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

function enter(field: HTMLInputElement, text: string) {
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Creates a pointer above a page: a dot that moves, and a line around the control that is used. */
function createPointer(page: Document) {
  const dot = page.createElement('div');
  const ring = page.createElement('div');
  // Styles of the elements themselves: Mijn register knows nothing of demonstrations.
  const shared = { position: 'fixed', zIndex: '10', pointerEvents: 'none', boxSizing: 'border-box' };
  Object.assign(dot.style, shared, {
    width: '26px',
    height: '26px',
    margin: '-13px 0 0 -13px',
    borderRadius: '50%',
    background: 'rgb(202 0 93 / 0.85)',
    border: '3px solid #fff',
    boxShadow: '0 1px 6px rgb(0 0 0 / 0.5)',
    transition: `left ${MOVE}ms ease-in-out, top ${MOVE}ms ease-in-out`,
    left: '50%',
    top: '35%',
  });
  Object.assign(ring.style, shared, { border: '3px solid #ca005d', borderRadius: '6px', display: 'none' });
  for (const part of [ring, dot]) {
    part.setAttribute('aria-hidden', 'true');
    part.dataset.demonstratie = 'aanwijzer';
    page.body.append(part);
  }
  let target: HTMLElement | null = null;
  let isRingShown = false;
  /** Keeps the pointer at its control in each picture: a message above it moves the control. */
  function follow() {
    if (!dot.isConnected) return;
    if (target?.isConnected) {
      const { left, top, width, height } = target.getBoundingClientRect();
      // At the edge: in the middle it hides the text.
      place(dot, { left: left + Math.min(width / 2, 120), top: top + height });
      place(ring, { left: left - 6, top: top - 6, width: width + 12, height: height + 12 });
    }
    ring.style.display = target?.isConnected && isRingShown ? 'block' : 'none';
    page.defaultView?.requestAnimationFrame(follow);
  }
  follow();
  return {
    async moveTo(control: HTMLElement, pace: Pace) {
      isRingShown = false;
      control.scrollIntoView({ block: 'center' });
      target = control;
      await pace.pause(MOVE);
      isRingShown = true;
      await pace.pause(REST);
    },
    remove() {
      dot.remove();
      ring.remove();
    },
  };
}

function place({ style }: HTMLElement, at: Partial<Record<'left' | 'top' | 'width' | 'height', number>>) {
  for (const [name, pixels] of Object.entries(at)) style[name as 'left'] = `${pixels}px`;
}
