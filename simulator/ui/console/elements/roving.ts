import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/**
 * Makes a group of controls one stop of the Tab key. The arrow keys, Home and End move the focus between the controls of
 * the group.
 * @param selector CSS selector of the controls in the group
 */
export const useRoving = (
  group: RefObject<HTMLElement | null>,
  selector: string = 'button, a[href], input[role="switch"]',
) =>
  useLayoutEffect(() => {
    if (group.current !== null) makeOneStop(group.current, selector);
  }, []);

function makeOneStop(group: HTMLElement, selector: string) {
  /** Returns the controls of this group that are not hidden. Controls of another group inside this one are left out. */
  const items = () =>
    ([...group.querySelectorAll(selector)] as HTMLElement[]).filter(
      (one) => one.closest('[hidden]') === null && isOwn(one),
    );
  const isOwn = (one: HTMLElement) => one.closest('[data-roving]') === group;

  /**
   * Makes one control the stop of the Tab key: `wanted` when it is given. Otherwise the selected control, or else the
   * control that was the stop before, or else the first control.
   */
  function setTabStop(wanted?: HTMLElement) {
    const all = items();
    const stop =
      wanted ??
      all.find((one) => one.getAttribute('aria-selected') === 'true') ??
      all.find((one) => one.tabIndex === 0 && one.dataset.stop === 'true') ??
      all[0];
    for (const one of all) {
      one.dataset.stop = String(one === stop);
      one.tabIndex = one === stop ? 0 : -1;
    }
  }

  group.dataset.roving = '';
  group.addEventListener('focusin', ({ target }) => {
    const found = items().find((one) => one === target);
    if (found !== undefined) setTabStop(found);
  });
  group.addEventListener('keydown', (event) => {
    const all = items().filter((one) => one.checkVisibility());
    const at = all.indexOf(event.target as HTMLElement);
    if (at === -1 || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = {
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all[(to + all.length) % all.length]?.focus();
  });
  new MutationObserver(() => setTabStop(items().find((one) => one === document.activeElement))).observe(group, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['hidden', 'aria-selected'],
  });
  setTabStop();
}
