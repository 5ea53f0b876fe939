import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { publicWords, withPublicWords } from '../../tools/build/public-words.ts'

const page = readFileSync('docs/stability.md', 'utf8')

test('docs/stability.md lists every public word, as the code declares it', () => {
  expect(withPublicWords(page)).toBe(page)
})

test('the list has words of every kind', () => {
  const words = publicWords()
  expect(words.get('commands')).toContain('scenarios use')
  expect(words.get('flags')).toContain('--add-key')
  expect([...words].filter(([, list]) => list.length === 0)).toEqual([])
})

/** Words of earlier versions. The suggestions of the command line know them, and decisions and the record tell of them. */
const former = [
  /pet-mock scenario (?!\|)[a-zA-Z[]/,
  /scenarios check\b/,
  /state save\b/,
  /pet-mock (?:search|replay)\b/,
  /pets (?:remove|edit)\b/,
  /rules (?:remove|turn)\b/,
  /(?:mock|petMock)\.rules\.(?:remove|turn)\(/,
  /\b(?:sandbox|worker)\.close\(/,
  /dropSandbox|removeRule/,
  /mock\.apiKeys/,
  /--conduct\b/,
  /--key \S+=/,
  /PET_MOCK_KEYS/,
  /--max-wait/,
  /--budget/,
]
const mayName =
  /^(?:docs\/decisions\/|test\/golden\/|test\/docs\/public-words|test\/cli\/arguments\/|src\/cli\/arguments\/other-tools)/

test('nothing speaks in former words', () => {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
    .split('\n')
    .filter(file => /\.(?:ts|tsx|md|ya?ml|json|mjs|cjs|js|txt|py|sh)$/.test(file) && !mayName.test(file))
    .filter(file => existsSync(file))
  const found = files.flatMap(file => {
    const text = readFileSync(file, 'utf8')
    return former.flatMap(word => {
      const [hit] = word.exec(text) ?? []
      return hit === undefined ? [] : [`${file}: ${hit}`]
    })
  })
  expect(found).toEqual([])
})
