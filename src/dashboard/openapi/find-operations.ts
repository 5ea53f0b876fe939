import type { ApiDocument, Operation } from './read-document.ts'
import { objectAt } from './schema.ts'

/** The most operations to list at once: 5,000 of them kept a page busy for seconds. */
const mostListed = 300

/** The first operations whose texts hold all words, by tag. `left`: how many more there are. */
export function listOperations(
  { operations, tags }: Pick<ApiDocument, 'operations' | 'tags'>,
  words: string,
) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (text: string) => wanted.every(word => text.includes(word))
  const found = wanted.length === 0 ? operations : operations.filter(one => fits(textOf(one)))
  const listed = found.slice(0, mostListed)
  const groups = tags
    .map(tag => ({ tag, operations: listed.filter(operation => operation.tag === tag.name) }))
    .filter(group => group.operations.length > 0)
  return { groups, left: found.length - listed.length }
}
function textOf({ id, method, path, tag, summary, about, parameters, body, answers }: Operation): string {
  const names = parameters.map(({ name, about }) => `${name} ${about}`)
  // The names in a schema itself, not those behind references.
  const schemas = [body, ...answers.map(({ content }) => content)].flatMap(one =>
    Object.keys(objectAt(one?.schema ?? {}, 'properties')),
  )
  return [id, method, path, tag, summary, about, ...names, ...schemas].join(' ').toLowerCase()
}
