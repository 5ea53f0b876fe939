import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isGroup } from '../../src/cli/arguments/command.ts'
import { readCommandLine } from '../../src/cli/arguments/command-line.ts'
import { readFlags } from '../../src/cli/arguments/flag.ts'
import { commands } from '../../src/cli/commands.ts'

const root = new URL('../../', import.meta.url)
const files = ['docs/', 'docs/contributors/'].flatMap(folder =>
  readdirSync(new URL(folder, root)).map(name => `${folder}${name}`),
)
const pages = ['README.md', 'llms.txt', 'skills/pet-mock/SKILL.md', ...files]
  .filter(path => /\.(?:md|txt)$/.test(path))
  .map(path => ({ path, text: readFileSync(new URL(path, root), 'utf8') }))

/** The command lines of pet-mock in the code blocks of a page, and those in its text. */
function commandLines(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```(?:sh|console)\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  const inText = [...text.matchAll(/`((?:npx (?:--no )?)?pet-mock [^`\n]+)`/g)].map(([, line = '']) => line)
  return [...blocks.flatMap(block => block.split('\n')), ...inText]
    .flatMap(line => /^(?:\$ )?(?:npx (?:--no )?)?(?:pet-mock|npm start --)( .*|$)/.exec(line)?.[1] ?? [])
    .map(line => line.replace(/ (?:#|[|&>]).*$/, ''))
}

function words(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|[^\s'"]+/g)].map(([word, one, two]) =>
    (one ?? two ?? word).replace('$KEY', 'demo-free'),
  )
}

test.each(pages.flatMap(({ path, text }) => commandLines(text).map(line => [path, line] as const)))(
  '%s: pet-mock%s',
  (_path, line) => {
    const read = readCommandLine(words(line), commands)
    if (read.kind === 'help' || read.kind === 'version') return
    const wrong = read.kind === 'run' ? readFlags(read.command.flags, read.given, {}).complaints : []
    expect([...read.complaints, ...wrong]).toEqual([])
  },
)

const flags = new Set(
  commands
    .flatMap(command => (isGroup(command) ? command.commands : [command]))
    .flatMap(command => Object.keys(command.flags)),
)

test.each([...flags])('--%s is on a page', name => {
  const mention = new RegExp(`--${name}(?![a-z-])`)
  expect(pages.filter(({ text }) => mention.test(text)).map(({ path }) => path)).not.toEqual([])
})
