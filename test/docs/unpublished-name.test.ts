import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/* Until the package is published, npx downloads whatever has its name on the registry. */

const root = new URL('../../', import.meta.url)
const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter(path => /\.(?:md|txt|ya?ml|json|toml|[cm]?[jt]sx?)$/.test(path) && !path.startsWith('test/'))
  .map(path => ({ path, text: readFileSync(new URL(path, root), 'utf8') }))

const unattended = files.filter(({ path }) =>
  /(?:^|\/)\.github\/workflows\/|^action|^skills\/|^llms\.txt$/.test(path),
)

const downloads = /npx["',\s[\]a-z=:]*(?:-y|--yes)["',\s]+pet-mock(?![\w./-])/

it('no file lets npx download pet-mock', () => {
  const found = files.filter(({ text }) => downloads.test(text)).map(({ path }) => path)
  expect(found).toEqual([])
})

it.each([
  ['npx -y pet-mock', true],
  ['npx --yes pet-mock mcp', true],
  ['"command": "npx", "args": ["-y", "pet-mock", "mcp"]', true],
  ['command = "npx"\nargs = ["--yes", "pet-mock"]', true],
  ['npx --no pet-mock', false],
  ['npx --yes ./pet-mock-1.0.0-rc.1.tgz', false],
])('%j downloads it: %j', (text, expected) => {
  expect(downloads.test(text)).toBe(expected)
})

it('what runs unattended uses npx --no', () => {
  const jobs = files.flatMap(({ path, text }) =>
    Array.from(text.matchAll(/- run: (npx .*)/g), ([, command = '']) => `${path}: ${command}`),
  )
  const lines = unattended.flatMap(({ path, text }) =>
    Array.from(text.matchAll(/npx .*/g), ([command]) => `${path}: ${command}`),
  )
  const bare = [...jobs, ...lines].filter(line => /npx pet-mock/.test(line))
  expect(lines.length).toBeGreaterThan(10)
  expect(bare).toEqual([])
})
