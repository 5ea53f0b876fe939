import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { brokenLinks, linksOf } from '../support/broken-links.ts'
import { directoryWith } from '../support/directory.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
const files = listed.split('\n').filter(file => file !== '')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const targetsOf = (page: string) =>
  linksOf(read(page)).map(link => join(dirname(page), link.replace(/#.*/, '')))

test('every link of a page leads to a file and a heading of the repository', () => {
  expect(files).toContain('docs/admin.md')
  expect(brokenLinks(root, files)).toEqual([])
})

test('the README leads to every page of docs/ in one click, and a page shows every picture', () => {
  const documents = files.filter(file => /^docs\/[^/]+$/.test(file))
  const linked = new Set(targetsOf('README.md'))
  expect(documents.filter(file => file.endsWith('.md') && !linked.has(file))).toEqual([])
  const shown = new Set(files.filter(file => file.endsWith('.md')).flatMap(targetsOf))
  expect(documents.filter(file => !shown.has(file))).toEqual([])
})

test('every example and every decision is in a folder or a page that another page links', () => {
  const pages = files.filter(file => file.endsWith('.md'))
  const linked = new Set(pages.flatMap(targetsOf))
  const orphans = pages.filter(
    page => /^(?:docs|examples)\//.test(page) && !linked.has(page) && !linked.has(dirname(page)),
  )
  expect(orphans).toEqual([])
})

test('a page that code, messages or settings name is there', () => {
  const named = files
    .filter(file => /\.(?:m?[jt]sx?|ya?ml|sh)$/.test(file) && !/^(?:test|src\/generated)\//.test(file))
    .flatMap(file => [...read(file).matchAll(/\bdocs\/[\w./-]+\.md\b/g)].map(([page]) => page))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(page => !files.includes(page))).toEqual([])
})

test('a link to nothing is found', () => {
  const page = '# One\n\n## Two, `code`\n\n[a](b.md) [c](#two-code) [d](#three) [e](c/) `[f](g.md)`\n'
  const folder = directoryWith({ 'a.md': page, 'c/d.md': '' })
  expect(brokenLinks(folder, ['a.md'])).toEqual([
    'a.md: b.md leads to no file',
    'a.md: #three leads to no heading',
    'a.md: c/ leads to a file that is not part of this',
  ])
})
