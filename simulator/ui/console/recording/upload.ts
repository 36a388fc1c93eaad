import type { Entry, Step } from '../types.d.ts';

/**
 * Names of sample files whose upload the service refuses, keyed by the problem code of the refusal. With two names, the
 * sample files have different extensions.
 */
const REFUSED_SAMPLES: Readonly<Record<string, readonly string[]>> = {
  'bestand-leeg': ['leeg.pdf'],
  'bestand-te-groot': ['te-groot.pdf'],
  'bestandstype-niet-toegestaan': ['tekst.pdf'],
  'bestandsnaam-onjuist': ['pdf-als-foto.jpg'],
  'bestand-beschadigd': ['afgebroken.pdf', 'afgebroken.jpg'],
  'bestand-versleuteld': ['wachtwoord.pdf'],
  'afbeelding-te-groot': ['te-veel-pixels.png'],
  'bestand-geinfecteerd': ['virus.pdf'],
};

/**
 * Returns the form of a recorded upload, with the name of a sample file, because the journal has no file contents. For
 * an upload that was refused with a code in `REFUSED_SAMPLES`, it is a sample file that is refused with the same code.
 * Returns null when the journal lacks the name of the file or the value of a field.
 */
export function formOf({ request: { body }, problem }: Entry): Step['form'] | null {
  const {
    fields,
    file,
  }: { fields: Record<string, string | null>; file: { name: string; size: number | null } | null } = JSON.parse(
    body ?? '{}',
  );
  if (!file || Object.values(fields).includes(null)) return null;
  const sent = fields as Record<string, string>;
  const [first, ...others] = REFUSED_SAMPLES[problem ?? ''] ?? [];
  if (first === undefined) {
    const type = extensionOf(file.name);
    const sample = type === 'png' || type === 'pdf' ? type : type === 'jpg' || type === 'jpeg' ? 'jpg' : 'pdf';
    return { fields: sent, file: { name: file.name, sample, size: file.size } };
  }
  const sample = others.find((one) => extensionOf(one) === extensionOf(file.name)) ?? first;
  const isSameType = problem !== 'bestandsnaam-onjuist' && extensionOf(sample) === extensionOf(file.name);
  return { fields: sent, file: { name: isSameType ? file.name : sample, sample, size: null } };
}

const extensionOf = (name: string) => name.toLowerCase().split('.').at(-1);
