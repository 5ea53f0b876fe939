import type { Plugin } from 'rolldown'

/** Leaves Prism out of a bundle: its chunks import it from `file`, a path relative to them. */
export function prismFrom(file: string): Plugin {
  const id = '\0prism'
  return {
    name: 'prism-from',
    resolveId: source => {
      if (source === '@stoplight/prism-http') return id
      return source === file ? { id: file, external: true } : null
    },
    // Node finds no names in minified CommonJS, so only its default can be imported.
    load: source =>
      source === id
        ? `import prism from '${file}'\nexport const { createInstance, getHttpOperationsFromSpec } = prism\n`
        : null,
  }
}
