import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The pages for users, by kind, and how many words a kind may have. */
const kinds = {
  tutorial: [1_600, ['first-hour', 'first-test']],
  'how-to': [
    9_358,
    [
      'testing',
      'other-languages',
      'browser',
      'ci',
      'faults',
      'why-429',
      'recordings',
      'validate',
      'learn',
      'endpoints',
      'coming-from',
      'agents',
      'fleet',
    ],
  ],
  reference: [13_770, ['commands', 'scenarios', 'admin', 'library', 'findings', 'errors', 'box']],
  explanation: [5_920, ['ideas', 'conduct', 'rehearsal', 'fidelity', 'assumptions', 'stability']],
} as const

const textOf = (page: string) => readFileSync(`docs/${page}.md`, 'utf8')

/** Without the list of public words, which nobody reads from end to end. */
function wordsOf(page: string): number {
  return textOf(page)
    .replace(/<!-- The public words[\s\S]*<!-- End of the public words. -->/, '')
    .split(/\s+/)
    .filter(Boolean).length
}

test.each(Object.entries(kinds))(
  'the pages of the kind %s have their number of words',
  (_kind, [most, pages]) => {
    const words = pages.map(page => [page, wordsOf(page)] as const)
    const total = words.reduce((sum, [, count]) => sum + count, 0)
    expect(total, JSON.stringify(words)).toBeLessThanOrEqual(most)
  },
)

test('every page for users is of one kind, and all have at most 30,542 words', () => {
  const pages = Object.values(kinds).flatMap(([, list]) => [...list] as string[])
  const there = readdirSync('docs').flatMap(file => /^(.*)\.md$/.exec(file)?.[1] ?? [])
  expect(there.sort()).toEqual(pages.sort())
  expect(pages.reduce((sum, page) => sum + wordsOf(page), 0)).toBeLessThanOrEqual(30_542)
  expect(readFileSync('README.md', 'utf8').split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(800)
})

/** Examples that no test runs, with the reason that the page gives. */
const notRun: readonly string[] = [
  "browser.md: changes the machine's trust store",
  'ci.md: no Docker; a test runs the steps of the Dockerfile, and its command as process 1 in a network namespace',
  'commands.md: changes the settings of a shell',
  'learn.md: needs a service to learn from',
  'other-languages.md: your suite',
  'other-languages.md: no .NET SDK on the machine of the tests',
  ...['Python', 'Go', 'Java'].map(
    language => `other-languages.md: no Docker engine on the machine of the tests (${language})`,
  ),
  'other-languages.md: no Docker engine and no .NET SDK on the machine of the tests',
  'other-languages.md: no Docker engine on the machine of the tests (Node)',
  'testing.md: your app',
  'testing.md: your suite',
  'validate.md: openapi-typescript is no dependency of pet-mock',
]

test('every example that is not run is listed here, with its reason', () => {
  const pages = readdirSync('docs').filter(file => file.endsWith('.md') && existsSync(`docs/${file}`))
  const marks = pages.flatMap(file =>
    [...readFileSync(`docs/${file}`, 'utf8').matchAll(/<!-- not run: (.+?) -->/g)].map(
      ([, why]) => `${file}: ${why}`,
    ),
  )
  expect(marks).toEqual(notRun)
})
