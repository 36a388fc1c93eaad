import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, Dialog } from '../components/parts.tsx';
import { Failure } from './calls/failure.tsx';
import type { Failure as FailureType } from './calls/outcome.ts';
import { outcomeOf } from './calls/outcome.ts';
import { client } from './session.ts';

/** Number of seconds for which the whole register number is shown. After that it is masked again. */
const SHOWN_FOR = 60;

/**
 * Shows the masked register number, with a button to show the whole number for a minute. The user must then confirm
 * their identity again (step-up).
 */
export function RegisterNumber({ masked }: { masked: string }) {
  const [full, setFull] = useState<string | null>(null);
  const [failure, setFailure] = useState<FailureType | undefined>(undefined);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (full === null) return;
    const timer = setTimeout(() => setFull(null), SHOWN_FOR * 1000);
    return () => clearTimeout(timer);
  }, [full]);

  async function confirm() {
    const outcome = await outcomeOf(client.GET('/dashboard-view', { headers: { 'X-Step-Up': '1' } }));
    setFailure(outcome.failure);
    if (outcome.failure) return;
    setFull(outcome.data.registration?.registerNummer ?? null);
    dialog.current?.close();
  }

  return (
    <>
      <span class="number">
        <span class="number__digits">{full ?? masked}</span>
        {full === null ? (
          <Button look="subtle" onClick={() => dialog.current?.showModal()}>
            Toon hele nummer
          </Button>
        ) : (
          <Button look="subtle" onClick={() => setFull(null)}>
            Verberg
          </Button>
        )}
      </span>
      <Dialog of={dialog} title="Bevestig dat u het bent">
        <p>
          Iemand kan met u meekijken. Daarom tonen wij uw hele nummer pas als u bevestigt dat u het bent. In een echt
          portaal logt u hier opnieuw in. In de simulator is bevestigen genoeg.
        </p>
        <p class="hint">Daarna ziet u het nummer {SHOWN_FOR} seconden.</p>
        <Failure of={failure} retry={confirm} />
        <div class="buttons">
          <Button look="primary-action" onClick={confirm}>
            Ik ben het
          </Button>
          <Button onClick={() => dialog.current?.close()}>Annuleren</Button>
        </div>
      </Dialog>
    </>
  );
}
