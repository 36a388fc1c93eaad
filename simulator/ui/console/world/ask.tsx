import { render } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button, Dialog } from '../../components/parts.tsx';

/**
 * Asks the user, in a dialog, whether all worlds (copies of the simulated people and data) may be reset. Resolves with
 * true when the user agrees, and otherwise with false.
 * @param question the sentence in the dialog that says which worlds are reset
 */
export function ask(question: string): Promise<boolean> {
  const place = document.createElement('div');
  document.body.append(place);
  return new Promise((resolve) => {
    const answer = (isAgreed: boolean) => {
      render(null, place);
      place.remove();
      resolve(isAgreed);
    };
    render(<Question text={question} answer={answer} />, place);
  });
}

function Question({ text, answer }: { text: string; answer: (isAgreed: boolean) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <Dialog of={dialog} title="Weet u het zeker?" onClose={() => answer(dialog.current?.returnValue === 'ja')}>
      <p class="utrecht-paragraph">{text}</p>
      <p class="utrecht-paragraph">Van elke wereld wordt eerst een momentopname bewaard.</p>
      <div class="buttons">
        <Button onClick={() => dialog.current?.close()}>Nee, ga terug</Button>
        <Button onClick={() => dialog.current?.close('ja')} look="primary-action">
          Ja, begin alle werelden opnieuw
        </Button>
      </div>
    </Dialog>
  );
}
