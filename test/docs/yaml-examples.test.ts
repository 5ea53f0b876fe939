import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatComplaint } from '../../src/control/files/complaint.ts'
import { readProfile } from '../../src/control/profile/file.ts'
import { readFleetFile } from '../../src/judges/fleet/read-fleet.ts'
import { readTexts } from '../control/scenario/read-texts.ts'

/** Every YAML block of a page for scenario files is one that can be read; the others have tests of their own. */
const others = ['endpoints.md', 'commands.md', 'ci.md']
const all = [...readdirSync('docs'), ...readdirSync('docs/contributors').map(name => `contributors/${name}`)]
const pages = all.filter(name => name.endsWith('.md') && !others.includes(name))
const blocks = pages.flatMap(page =>
  [...readFileSync(`docs/${page}`, 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
    ([, text = ''], index) => ({ page, index, text }),
  ),
)

test('there are some', () => {
  expect(blocks.length).toBeGreaterThan(1)
})

test.each(blocks)('$page, block $index', async ({ text }) => {
  const read = text.startsWith('profile: 1')
    ? readProfile
    : text.startsWith('# fleet.yaml')
      ? readFleetFile
      : (name: string, text: string) => readTexts({ [name]: text })
  const reading = await read('f.yaml', text)
  expect(reading.ok ? [] : reading.complaints.map(formatComplaint)).toEqual([])
})
