import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button, Confirm } from '../../components/parts.tsx';
import { Extra, Notice } from '../parts.tsx';
import { world } from '../session.ts';

/** A letter to begin: the text of its button, its name in the question, and what the control API needs. */
type Other = { button: string; name: string; body: { templateId?: string; uitkomst?: string } };

const REQUEST = 'aanvulling-gevraagd';
const FIRST: readonly Other[] = [
  { button: 'Vraag om aanvulling beginnen…', name: 'de vraag om aanvulling', body: { templateId: REQUEST } },
  {
    button: 'Voornemen om af te wijzen beginnen…',
    name: 'het voornemen om af te wijzen',
    body: { templateId: 'voornemen-afwijzing' },
  },
];
const DECISIONS: readonly Other[] = [
  { button: 'Toewijzing beginnen…', name: 'het besluit tot toewijzing', body: { uitkomst: 'goedgekeurd' } },
  { button: 'Afwijzing beginnen…', name: 'het besluit tot afwijzing', body: { uitkomst: 'afgewezen' } },
];
/** Only after a request for what is missing (Awb 4:5). */
const NOT_CONSIDERED: Other = {
  button: 'Buiten behandeling laten…',
  name: 'het besluit om de aanvraag buiten behandeling te laten',
  body: { uitkomst: 'buiten-behandeling' },
};

/**
 * Begins another letter about the same case, which the letter API cannot: the register gives the template. Calls `onBegun`
 * when it is there. That letter is the decision after a letter with the template `after`; without `after` it is one that a
 * decision can rest on.
 */
export function OtherLetter({ after, onBegun }: { after: string | null; onBegun: () => unknown }) {
  const isDecision = after !== null;
  const [asked, setAsked] = useState<Other | null>(null);
  const [isRefused, setRefused] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  // Each press is another object: the question stays in the page when it is closed.
  useLayoutEffect(() => {
    if (asked) dialog.current?.showModal();
  }, [asked]);
  async function begin({ body }: Other) {
    const answer = await fetch(`/_simulator/worlds/${encodeURIComponent(world)}/brief`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ tag: 'draft', ...body }),
    }).catch(() => null);
    setRefused(!answer?.ok);
    if (answer?.ok) await onBegun();
  }
  return (
    <>
      <Extra>
        {isDecision
          ? 'In het echt geeft het register daarna de zaak voor het besluit. Hier begint u dat zelf.'
          : 'Moet er eerst een andere brief uit? In het echt geeft het register die. Hier begint u die zelf.'}
      </Extra>
      <div class="buttons no-print">
        {[...(isDecision ? DECISIONS : FIRST), ...(after === REQUEST ? [NOT_CONSIDERED] : [])].map((one) => (
          <Button key={one.name} onClick={() => setAsked({ ...one })}>
            {one.button}
          </Button>
        ))}
      </div>
      {isRefused && (
        <Notice tone="warning">Dat lukt nu niet. U kunt die brief ook in de console beginnen, bij Brief.</Notice>
      )}
      {asked && (
        <Confirm
          of={dialog}
          title={`Wilt u ${asked.name} beginnen?`}
          yes="Ja, begin die brief"
          onYes={() => void begin(asked)}
        >
          <p>
            {isDecision
              ? 'De brief die is verzonden, blijft zoals hij is.'
              : 'De tekst van nu gaat weg. Na deze brief begint u opnieuw aan het besluit.'}
          </p>
        </Confirm>
      )}
    </>
  );
}
