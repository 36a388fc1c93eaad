import type { App } from '../app/app.tsx';
import { Panel, usePart } from '../app/part.tsx';
import { Cases } from './cases.tsx';
import { LetterState } from './letter.tsx';
import { Uploads } from './uploads.tsx';

/** Shows the cases, the letter and the uploads of the world. */
export function StatePanel({ app }: { app: App }) {
  const part = usePart();
  return (
    <Panel id="stand" title="Zaken, brief en uploads" of={part}>
      <h3 class="utrecht-heading-3">Zaken</h3>
      <Cases app={app} part={part} />
      <h3 class="utrecht-heading-3">Brief</h3>
      <LetterState app={app} part={part} />
      <h3 class="utrecht-heading-3">Uploads</h3>
      <Uploads app={app} part={part} />
    </Panel>
  );
}
