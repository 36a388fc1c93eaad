import type { App } from './app/app.ts';
import { h } from './elements/dom.ts';
import { tabs } from './elements/tabs.ts';
import { mijnFrame } from './mijn.ts';
import { personView } from './people/person.ts';
import { mailboxPanel } from './state/mailbox.ts';
import { statePanel } from './state/state.ts';
import { layout } from './texts/layout.ts';

/**
 * Creates the canvas: the main panel of the page. Its heading is the chosen person, and its tabs show Mijn register
 * (the example portal), the answer of an operation, the letter on paper, the mailbox, and the cases and uploads.
 * @param onShow called with the id of a tab when that tab is shown
 */
export function createCanvas(app: App, onShow: (tab: string) => void) {
  const person = personView(app);
  const mijn = mijnFrame(app, { title: layout.frame });
  const paper = mijnFrame(app, { title: layout.paperFrame, screen: '#/voorbeeld', onlyLetters: true });
  const all = tabs(
    layout.canvas,
    [
      { id: 'mijn', title: layout.mijn, panel: mijn.panel },
      { id: 'antwoord', title: layout.answer, panel: person.panel },
      { id: 'papier', title: layout.paper, panel: paper.panel },
      { id: 'brievenbus', title: layout.post, panel: h('div', {}, mailboxPanel(app)) },
      { id: 'zaken', title: layout.state, panel: h('div', {}, statePanel(app)) },
    ],
    (id) => {
      mijn.setVisible(id === 'mijn');
      paper.setVisible(id === 'papier');
      onShow(id);
    },
  );
  const whole = h('section', { class: 'whole' }, person.head, person.message, all.list, ...all.panels);
  const name = () => {
    whole.id = `persoon-${app.selection.slug}`;
  };
  name();
  app.selection.on(name);

  return {
    element: whole,
    frames: [mijn.frame, paper.frame],
    show: all.show,
    get shown() {
      return all.shown;
    },
    /** Chooses the screen of Mijn register for a step of a demonstration. An empty text chooses the first screen. */
    setScreen: mijn.setScreen,
    reload() {
      mijn.reload();
      paper.reload();
    },
  };
}

/** The main panel of the page, as `createCanvas` returns it. */
export type Canvas = ReturnType<typeof createCanvas>;
