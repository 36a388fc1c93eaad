import { address, go } from './app/address.ts';
import { createPart, Message } from './app/app.tsx';
import { Tabs } from './elements/controls.tsx';
import { createMijnFrame } from './mijn.tsx';
import { PersonHead, PersonPanel } from './people/person.tsx';
import { MailboxPanel } from './state/mailbox.tsx';
import { StatePanel } from './state/state.tsx';

function createCanvas() {
  const mijn = createMijnFrame({ title: (naam) => `Mijn register als ${naam}` });
  const paper = createMijnFrame({
    title: (naam) => `De brief op papier, als ${naam}`,
    screen: '#/voorbeeld',
    onlyLetters: true,
  });
  address.tab.subscribe((id) => {
    mijn.setVisible(id === 'mijn');
    paper.setVisible(id === 'papier');
  });
  return {
    part: createPart(),
    mijn,
    paper,
    reload() {
      mijn.reload();
      paper.reload();
    },
  };
}

export const canvas = createCanvas();

export const CanvasView = () => (
  <section class="whole" id={`persoon-${address.person.value}`}>
    <PersonHead before={canvas.mijn.personBefore()} />
    <Message of={canvas.part} />
    <Tabs
      label="Weergave"
      shown={address.tab.value}
      show={(id) => go({ tab: id })}
      all={[
        { id: 'mijn', title: 'Mijn register', look: 'mijn-panel', content: <canvas.mijn.Content /> },
        { id: 'antwoord', title: 'Antwoord', look: 'person-panel', content: <PersonPanel part={canvas.part} /> },
        { id: 'papier', title: 'Op papier', look: 'mijn-panel', content: <canvas.paper.Content /> },
        { id: 'brievenbus', title: 'Post', content: <MailboxPanel /> },
        { id: 'zaken', title: 'Zaken en uploads', content: <StatePanel /> },
      ]}
    />
  </section>
);
