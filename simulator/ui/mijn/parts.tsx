import type { ComponentChildren, ComponentProps, RenderableProps } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { AdresDto, DuoDiplomaDto } from 'zorgregister-bff/client';
import { About, Alert, Badge, Empty, MessageTitle, type Tone } from '../components/parts.tsx';
import { homeElsewhere } from './people.ts';
import { linkTo } from './router.ts';
import { PHONE, placeText } from './words.ts';

/** Shows a status as a coloured label. Without `of`, the text is `name`, or else `Onbekend`. */
export function Tag({ of, name }: { of: readonly [string, Tone] | undefined; name?: string | undefined }) {
  const [text, tone] = of ?? [name ?? 'Onbekend', 'neutral' as Tone];
  return <Badge tone={tone}>{text}</Badge>;
}

type ButtonLinkProps = RenderableProps<{
  to: string[];
  look?: 'primary' | 'secondary';
  about?: string;
  onClick?: () => void;
}>;

/** Shows a link to the screen with the address `to`, which looks like a button. Only screen readers read `about`. */
export function ButtonLink({ to, look = 'secondary', about, onClick, children }: ButtonLinkProps) {
  return (
    <a href={linkTo(...to)} onClick={onClick} class={`utrecht-button utrecht-button--${look}-action button-link`}>
      {children}
      <About>{about}</About>
    </a>
  );
}

/** Shows a link to the screen with the address `to`. */
export const Link = ({ to, children }: RenderableProps<{ to: string[] }>) => (
  <a class="utrecht-link utrecht-link--html-a" href={linkTo(...to)}>
    {children}
  </a>
);

interface ScreenProps {
  title: string;
  step?: string;
  isWrong?: boolean;
  lead?: ComponentChildren;
  back?: { to: string[]; text: string };
  children?: ComponentChildren;
}

/**
 * Shows the title and content of a screen. Moves the focus to the title when the screen opens, except for the first
 * screen after the page was loaded. `step` is the step that the title of the browser tab begins with, after `Fout:` when
 * `isWrong` says that the screen shows errors.
 */
export function Screen({ title, step, isWrong = false, lead, back, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${isWrong ? 'Fout: ' : ''}${step ? `${step} · ` : ''}${title} · Mijn register`;
  }, [title, step, isWrong]);
  useEffect(() => {
    if (navigated) {
      heading.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    navigated = true;
  }, []);
  return (
    <div class="screen">
      {back && (
        <p class="screen__back">
          <Link to={back.to}>
            <span aria-hidden="true">‹ </span>
            {back.text}
          </Link>
        </p>
      )}
      <h1 class="utrecht-heading-1" tabindex={-1} ref={heading}>
        {title}
      </h1>
      {lead && <p class="utrecht-paragraph lead">{lead}</p>}
      <MessageTitle.Provider value="h2">{children}</MessageTitle.Provider>
    </div>
  );
}
let navigated = false;

/** Makes the next screen the first one, which leaves the focus where it is. */
export function startAgain() {
  navigated = false;
}

type PanelProps = RenderableProps<{ title: string; aside?: ComponentChildren; look?: 'hero' }>;

export const Panel = ({ title, aside, look, children }: PanelProps) => (
  <section class={`panel ${look ?? ''}`}>
    <div class="head">
      <h2 class="utrecht-heading-2">{title}</h2>
      {aside}
    </div>
    <MessageTitle.Provider value="h3">{children}</MessageTitle.Provider>
  </section>
);

/** Says that the data of a screen are being loaded. */
export const Loading = ({ children }: RenderableProps<object>) => (
  <p class="loading" role="status">
    {children}
  </p>
);

/** Tells what is on the screen only because the portal is of a simulator. */
export const Extra = ({ children }: RenderableProps<object>) => (
  <div class="extra no-print">
    <p class="extra__mark">Extra van de simulator</p>
    <p>{children}</p>
  </div>
);

type ConfirmationProps = RenderableProps<{ text: string; reference: string | null }>;

/** Shows what was received (`text`) and its reference, with which the user can ask about it. */
export const Confirmation = ({ text, reference, children }: ConfirmationProps) => (
  <div class="confirmation">
    <p class="confirmation__mark" />
    <p>{text}</p>
    <p class="confirmation__number">{reference}</p>
    {children}
  </div>
);

/** Shows what the relatives of a person who has died want to know. */
export const ForRelatives = () => (
  <Panel title="Voor nabestaanden">
    <p>Deze persoon is overleden. Wij wensen u sterkte met dit verlies.</p>
    <p>
      De registratie is doorgehaald. U hoeft niets te doen. Er kan niets meer worden aangevraagd. Hebt u een vraag? Bel
      ons op {PHONE}.
    </p>
  </Panel>
);

/** Shows an alert of one paragraph. */
export const Notice = ({ children, ...alert }: RenderableProps<ComponentProps<typeof Alert>>) => (
  <Alert {...alert}>
    <p>{children}</p>
  </Alert>
);

export const AddressLines = ({ of }: { of: AdresDto }) => (
  <address class="address">
    {of.straat}
    <br />
    {placeText(of)}
  </address>
);

/** Shows the home of the user: its address in the API or, without one, what the simulator knows of it. */
export const Home = ({ of }: { of: AdresDto | null }) => {
  if (of) return <AddressLines of={of} />;
  const lines = homeElsewhere();
  if (lines.length === 0) return <Empty>Wij hebben van u geen woonadres met straat en huisnummer in Nederland.</Empty>;
  return (
    <>
      <address class="address">
        {lines.map((line) => (
          <div key={line}>{line}</div>
        ))}
      </address>
      <Extra>De API van het register geeft alleen een woonadres met straat en huisnummer in Nederland.</Extra>
    </>
  );
};

export const DiplomaCards = ({ of }: { of: readonly DuoDiplomaDto[] }) => (
  <ul class="cards">
    {of.map(({ id, naam, instelling, jaar, beroep }) => (
      <li class="card" key={id}>
        <strong>{naam}</strong>
        <span>
          {instelling}, {jaar}
        </span>
        <span class="small">Voor het beroep {beroep}</span>
      </li>
    ))}
  </ul>
);
