import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createPetMock, startPetMock } from '../../src/library/testing/entry.ts'
import { publicWords } from '../../tools/build/public-words.ts'

/* docs/library.md names everything that the library has. test/docs/testing-page.test.ts runs its programs. */
const page = readFileSync('docs/library.md', 'utf8')
const prose = page.replace(/^```[\s\S]*?^```$/gm, '')
const inCode = [...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
const words = new Set(inCode.flatMap(code => code.match(/[\w$]+/g) ?? []))

test.each(['exports of pet-mock', 'exports of pet-mock/msw'])('names all %s', kind => {
  const names = publicWords().get(kind) ?? []
  expect(names.length).toBeGreaterThan(2)
  expect(names.filter(name => !words.has(name))).toEqual([])
})

test('names all entries of the package', () => {
  const entries = (publicWords().get('entries of the package') ?? []).filter(name => !name.endsWith('.json'))
  expect(entries.filter(name => !inCode.includes(name))).toEqual([])
})

/** The methods in a list item, such as those of `pets`: `pets.list(…)`, and then `get(id)`. */
function methodsOf(group: string): readonly string[] {
  const items = prose.split(/^- /m).filter(item => item.startsWith(`\`${group}.`))
  return items.flatMap(item => [...item.matchAll(/`(?:\w+\.)?(\w+)\(/g)].map(([, name = '']) => name))
}

const mock = createPetMock()
const groups = Object.entries(mock).flatMap(([group, value]) =>
  typeof value === 'object' && value !== null ? [[group, Object.keys(value)] as const] : [],
)

test('a mock has groups of methods', () => {
  expect(groups.map(([group]) => group).toSorted()).toEqual(
    ['clock', 'keys', 'pets', 'requests', 'rules', 'scenario', 'snapshot'].toSorted(),
  )
})

test.each(groups)('lists each method of mock.%s, and no other', (group, methods) => {
  expect([...new Set(methodsOf(group))].toSorted()).toEqual([...methods].toSorted())
})

test('names each other member of a mock', async () => {
  const server = await startPetMock()
  const members = [...Object.keys(mock), ...Object.keys(server), ...Object.keys(mock.sandbox('a'))]
  await server.close()
  expect(members.filter(name => !words.has(name))).toEqual([])
})

test.each([
  ['createPetMock', createPetMock],
  ['startPetMock', startPetMock],
])('names each option of %s', async (_name, create) => {
  // The message lists the known options.
  const message = await (async () => create({ '?': 1 } as never))().catch(error => error.message)
  const [, known = ''] = /known are (.*)$/.exec(message) ?? []
  expect(known.split(', ').length).toBeGreaterThan(1)
  expect(known.split(', ').filter(name => !words.has(name))).toEqual([])
})
