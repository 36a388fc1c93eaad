import { ButtonLink, Screen } from '../parts.tsx';

export const Unknown = () => (
  <Screen title="Deze pagina bestaat niet" lead="Misschien is de link oud, of hebt u een letter gemist.">
    <p>
      <ButtonLink to={[]} look="primary">
        Naar de eerste pagina
      </ButtonLink>
    </p>
  </Screen>
);
