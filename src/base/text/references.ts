/* Values that a step of a walkthrough saves from its answer, and that later steps use as `${name}`. */

export const savedName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/** A field of the JSON body, or a parameter of the link `rel="next"`. */
export const savedSource =
  /^(?:body(?:\.[A-Za-z_][\w-]{0,99}|\[(?:0|[1-9]\d{0,5})\]){0,20}|next\.[A-Za-z_][\w.~-]{0,99})$/

const reference = /\$\{([A-Za-z][A-Za-z0-9_-]{0,63})\}/g

export function referencesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(reference), ([, name = '']) => name)
}

/** Replaces each name that has a value; others stay. */
export function replaceReferences(text: string, read: (name: string) => string | undefined): string {
  return text.replace(reference, (whole, name: string) => read(name) ?? whole)
}
