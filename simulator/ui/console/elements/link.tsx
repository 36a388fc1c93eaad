import type { ComponentChildren } from 'preact';
import { type AddressMember, go, hrefWith } from '../app/address.ts';

/** Shows a link to another state of this page, which also opens in another tab of the browser. */
export const StateLink = ({ to, children }: StateLinkProps) => (
  <a
    class="utrecht-link utrecht-link--html-a"
    href={hrefWith(to)}
    onClick={(event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(to);
    }}
  >
    {children}
  </a>
);

interface StateLinkProps {
  to: Partial<Record<AddressMember, string>>;
  children: ComponentChildren;
}
