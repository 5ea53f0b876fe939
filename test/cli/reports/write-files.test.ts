import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { writeFiles } from '../../../src/cli/reports/write-reports.ts'

it('makes missing folders, and says where the system makes none', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'reports-')), 'some/folder/report.html')
  let printed = ''
  const stderr = new PassThrough().setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  // In /proc, where there is one, `mkdir` with `recursive` never ends.
  const files = [file, '/proc/none/report.html'].slice(0, process.platform === 'linux' ? 2 : 1)
  expect(await writeFiles(files, () => 'text', stderr)).toEqual([file])
  expect(readFileSync(file, 'utf8')).toBe('text')
  if (files.length === 2) expect(printed).toMatch(/^\/proc\/none\/report\.html cannot be written \(.+\)\.\n$/)
})
