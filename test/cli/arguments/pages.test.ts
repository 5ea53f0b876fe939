import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { runCommand } from '../../support/run-command.ts'

/* A mistake that a page explains names the page in its last line. */

const files = {
  'bad.yaml': 'title: Bad\nkee: x\n',
  'api.yaml': 'openapi: 3.1.0\npaths: 3\n',
  'of.yaml': 'profile: 1\nservice: https://other.example/v1\nlearned: {}\nunknown: []\n',
  'project/pet-mock.yaml': 'prot: 1\n',
}

it.each<[line: string, page: string | undefined]>([
  ['--scenario banana', 'scenarios.md#the-file'],
  ['--scenario bad.yaml', 'scenarios.md#the-file'],
  ['exec -s bad.yaml -- true', 'scenarios.md#the-file'],
  ['scenarios validate bad.yaml', 'scenarios.md#the-file'],
  ['--openapi api.yaml', 'endpoints.md#contradictions-and-mistakes'],
  ['--tls-cert cert.pem', 'browser.md#https'],
  ['--state nowhere/state.json', 'admin.md#snapshots-and---state'],
  ['exec --fail-on early -- true', 'findings.md'],
  ['exec --report a.txt -- true', 'findings.md'],
  ['--host 0.0.0.0 --admin-token=', 'admin.md#who-may-use-it'],
  ['compare-plans bad.yaml', 'recordings.md'],
  ['scenarios from bad.yaml', 'recordings.md'],
  ['drift http://127.0.0.1:9/v1 --key k --profile of.yaml', 'learn.md'],
  // The help of the command says more.
  ['--prot 1', undefined],
  ['srve', undefined],
])('pet-mock %s', async (line, page) => {
  const { code, stdout, stderr } = await runCommand(line.split(' '), { cwd: directoryWith(files) })
  expect(code).toBe(2)
  expect(pageOf(stdout + stderr)).toBe(page && `docs/${page}`)
  expectToExist(page)
})

it('of the project file', async () => {
  const cwd = `${directoryWith(files)}/project`
  const { stderr } = await runCommand(['--port', '0'], { cwd })
  expect(pageOf(stderr)).toBe('docs/commands.md#pet-mockyaml')
  expectToExist('commands.md#pet-mockyaml')
})

it('two mistakes of one kind name the page once', async () => {
  const cwd = directoryWith({ 'two.yaml': 'kee: x\ntitel: x\n' })
  const { stderr } = await runCommand(['-s', 'two.yaml'], { cwd })
  expect(stderr.match(/docs\//g)).toHaveLength(1)
})

function pageOf(text: string): string | undefined {
  return /^More: (.+)\n$/m.exec(text)?.[1]
}

/** The page, and the heading that GitHub would give this anchor. */
function expectToExist(page: string | undefined): void {
  if (page === undefined) return
  const [file = '', anchor] = page.split('#')
  const text = readFileSync(fileURLToPath(new URL(`../../../docs/${file}`, import.meta.url)), 'utf8')
  const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
  if (anchor !== undefined) expect(anchors).toContain(anchor)
}
