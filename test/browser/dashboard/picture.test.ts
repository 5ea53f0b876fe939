import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findChromium } from '../../support/browser.ts'
import { directoryWith } from '../../support/directory.ts'
import { requireOrSkip } from '../../support/requirements.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Width and height, from the head of a PNG file. */
function sizeOf(path: string): readonly [number, number] {
  const bytes = readFileSync(path)
  expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG')
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

test("the README's first picture is made by its script", async ({ skip }) => {
  const chromium = requireOrSkip({ skip }, 'Chromium', findChromium())
  const file = join(directoryWith({}), 'dashboard.png')
  await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', 'tools/build/picture/dashboard.ts', file, chromium],
    { cwd: root },
  )
  const picture = /!\[[^\]]*\]\(([^)]*)\)/.exec(readFileSync(`${root}README.md`, 'utf8'))?.[1]
  expect(picture).toBe('docs/dashboard.png')
  expect(sizeOf(file)).toEqual(sizeOf(`${root}${picture}`))
})
