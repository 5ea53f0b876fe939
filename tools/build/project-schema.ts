import { isGroup } from '../../src/cli/arguments/command.ts'
import type { Flag, Flags } from '../../src/cli/arguments/flag.ts'
import { commands } from '../../src/cli/commands.ts'
import { shippedScenarios } from '../../src/control/scenario/shipped.ts'

/** The JSON Schema of pet-mock.yaml, from the flags of the commands that read it. */
export function projectJsonSchema(): object {
  const readers = commands.flatMap(one => (isGroup(one) || !one.readsProject ? [] : [one]))
  const all: Flags = Object.assign({}, ...readers.map(({ flags }) => flags).toReversed())
  const sections = readers.map(({ name, flags }) => [
    name,
    { ...mapOf(flags), description: `Flags for pet-mock ${name} only. They override those of the file.` },
  ])
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'urn:pet-mock:project',
    title: 'The project file of pet-mock',
    description:
      'Flags of pet-mock, by name. A flag overrides its environment variable, which overrides this file.',
    ...mapOf(all, { $schema: { type: 'string' }, ...Object.fromEntries(sections) }),
  }
}

function mapOf(flags: Flags, more: object = {}): object {
  const entries = Object.entries(flags)
    .filter(([, { notInProject }]) => notInProject === undefined)
    .map(([name, flag]) => [name, { ...schemaOf(name, flag), description: sentence(flag.about) }])
  return {
    type: 'object',
    properties: { ...Object.fromEntries(entries), ...more },
    additionalProperties: false,
  }
}

function schemaOf(name: string, flag: Flag<unknown>): object {
  const { value, words, type, fallback } = flag
  if (value === '') return { type: 'boolean', default: false }
  const usual = typeof fallback === 'string' || typeof fallback === 'number' ? { default: fallback } : {}
  if (words !== undefined) return { enum: words, ...usual }
  if (type === 'number') return { type: 'number', ...usual }
  if (name === 'scenario') return { type: 'string', examples: [...shippedScenarios.keys()], ...usual }
  if (type === 'list') return { anyOf: [text, { type: 'array', items: text }] }
  return { ...text, ...usual }
}

/** `journal: 1000` is a number for YAML. */
const text = { type: ['string', 'number'] }

function sentence(about: string): string {
  return `${about.charAt(0).toUpperCase()}${about.slice(1).replace(/; repeatable\b/, '; or a list')}.`
}
