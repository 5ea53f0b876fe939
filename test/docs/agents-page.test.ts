import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tools } from '../../src/cli/commands/mcp/tools.ts'
import { withToolsTable } from '../../tools/build/docs-tables.ts'

const page = readFileSync('docs/agents.md', 'utf8')
const block = (language: string) =>
  new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? ''

test('docs/agents.md has every tool, as declared', () => {
  expect(page).toBe(withToolsTable(page, tools))
})

test('the settings of agents run one command', () => {
  const words = { command: 'npx', args: ['--no', 'pet-mock', 'mcp'] }
  expect(JSON.parse(block('json'))).toEqual({ mcpServers: { 'pet-mock': words } })
  const lines = block('toml').trim().split('\n').slice(1)
  const pairs = lines.map(line => line.split(' = ')).map(([name, value = '']) => [name, JSON.parse(value)])
  expect(Object.fromEntries(pairs)).toEqual(words)
})
