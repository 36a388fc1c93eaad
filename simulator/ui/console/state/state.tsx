import type { App } from '../app/app.tsx';
import { Panel, usePart } from '../app/part.tsx';
import { texts } from '../texts/texts.ts';
import { Cases } from './cases.tsx';
import { LetterState } from './letter.tsx';
import { Uploads } from './uploads.tsx';

const words = texts.state;

/** Shows the cases, the letter and the uploads of the world. */
export function StatePanel({ app }: { app: App }) {
  const part = usePart();
  return (
    <Panel id="stand" title={words.title} of={part}>
      <h3 class="utrecht-heading-3">{words.zaken}</h3>
      <Cases app={app} part={part} />
      <h3 class="utrecht-heading-3">{words.brief}</h3>
      <LetterState app={app} part={part} />
      <h3 class="utrecht-heading-3">{words.uploads}</h3>
      <Uploads app={app} part={part} />
    </Panel>
  );
}
