import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { brokenLinks } from '../support/broken-links.ts'
import { directoryWith } from '../support/directory.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('every link of a page leads to a file and a heading of the repository', () => {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const files = listed.split('\n').filter(file => file !== '')
  expect(files).toContain('docs/admin.md')
  expect(brokenLinks(root, files)).toEqual([])
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
