import { rule } from '../domain/rule.ts';
import type { BriefBlock, BriefSection } from '../ports/store/brief-store.ts';
import type { FieldFault } from '../problem.ts';
import { wording } from '../wire/rich-text.ts';
import { outlineOf } from './rules.ts';
import type { LetterBlockDto, SentSection, SentSections } from './schema.ts';

/**
 * Input of the rule `checkTemplate`: the sections as the client sent them (`sent`), the same sections after parsing
 * (`sections`), and the sections of the stored letter (`template`).
 */
interface TemplateFacts {
  readonly sent: SentSections;
  readonly sections: readonly BriefSection[];
  readonly template: readonly BriefSection[];
}

/**
 * Returns a fault for each forbidden difference from the stored letter (domain 4.8): other sections, another order, or
 * a changed locked section. The same text divided into other nodes (pieces of text) is not a difference.
 */
export const checkTemplate = rule(
  'domain 4.8',
  function checkTemplate({ sent: asked, sections, template }: TemplateFacts): FieldFault[] {
    const fault = (pointer: string, detail: string): FieldFault => ({ pointer, code: 'sectie-vergrendeld', detail });
    const keys = template.map(({ sectionKey }) => sectionKey);
    const sent = sections.map(({ sectionKey }) => sectionKey);
    const faults = [
      ...sent.flatMap((key, index) => {
        if (!keys.includes(key)) return [fault(`/sections/${index}/sectionKey`, 'Dit deel heeft het sjabloon niet.')];
        return sent.indexOf(key) < index
          ? [fault(`/sections/${index}/sectionKey`, 'Dit deel staat er twee keer.')]
          : [];
      }),
      ...keys.filter((key) => !sent.includes(key)).map((key) => fault('/sections', `Het deel ${key} ontbreekt.`)),
    ];
    const displaced = faults.length === 0 ? sent.findIndex((key, index) => key !== keys[index]) : -1;
    if (displaced >= 0)
      faults.push(fault(`/sections/${displaced}/sectionKey`, 'De delen staan in een andere volgorde.'));
    return [
      ...faults,
      ...sections.flatMap((section, index) => {
        const original = template.find(({ sectionKey }) => sectionKey === section.sectionKey);
        const isSame =
          original !== undefined &&
          lockedText(original) === lockedText(section) &&
          lockedMembers(original) === lockedMembers(asked?.[index]);
        return original?.locked && !isSame
          ? [fault(`/sections/${index}`, `Het deel ${section.sectionKey} ligt vast: stuur het terug zoals het was.`)]
          : [];
      }),
    ];
  },
  { facts: ({ sections, template }) => ({ sent: outlineOf(sections), template: outlineOf(template) }) },
);

const lockedMembers = (section: SentSection | BriefSection | undefined): string =>
  JSON.stringify([
    section?.title ?? null,
    section?.required ?? null,
    section?.locked ?? null,
    section?.blocks?.map((block: LetterBlockDto | BriefBlock) => [
      block.blockId,
      'sourcePassageId' in block ? block.sourcePassageId : null,
      'sourceVersion' in block ? block.sourceVersion : null,
      'edited' in block ? block.edited : null,
    ]) ?? null,
  ]);

const lockedText = ({ blocks }: BriefSection): string =>
  JSON.stringify(blocks.map(({ type, content }) => [type, wording(content)]));
